import { skeleton } from '../../capabilities/skeleton.ts';

/** Words by which forms ask for what they may not ask for: passwords, keys, tokens, card data (elicitation, form mode). Latin words stand by themselves; Chinese ones anywhere. */
const WORDS = /(?:^|[^a-z])(?:pass(?:word|wd|phrase|code)?|pwd|secret|token|api ?keys?|access ?keys?|private ?keys?|credentials?|otp|pin|cvv|cvc|card ?number|ssn|mnemonic|seed ?phrase)(?:[^a-z]|$)/i;
const CHINESE = /密码|口令|密钥|令牌|凭据|凭证|验证码|助记词|私钥|卡号|身份证/;

/** `apiKey`, `api_key` and `API-KEY` as words. */
const asWords = (text: string): string => text.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/[_\-.]+/g, ' ');

/** `i` and `l` are one in a skeleton. */
const LOOKS_LIKE = new RegExp(WORDS.source.replaceAll('i', 'l'), 'i');
/** As it reads: without what cannot be seen, other letters as the Latin ones that they look like. */
const asItLooks = (text: string): string => Array.from(text.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, ''), (char) => (char < '\u0080' ? char : skeleton(char) || char)).join('');
const hidesWord = (text: string): boolean => /[^\0-\x7f]/.test(text) && LOOKS_LIKE.test(asWords(asItLooks(text)).replaceAll(/i/gi, 'l'));

/** Whether a field looks as if it wanted a secret. A yes or no wants none, whatever it is about. */
export const asksForSecret = (type: unknown, texts: readonly (string | undefined)[]): boolean =>
  type !== 'boolean' && texts.some((text) => text !== undefined && (WORDS.test(asWords(text)) || CHINESE.test(text) || hidesWord(text)));
