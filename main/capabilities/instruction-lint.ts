/** Words that speak to the model rather than describe (S13). A hint to the reader, never a verdict. */
const SIGNS: readonly { readonly what: string; readonly pattern: RegExp }[] = [
  { what: 'asks to set instructions aside', pattern: /\b(?:ignore|disregard|forget|override)\b[^.\n]{0,30}\b(?:previous|prior|above|earlier|all|any|other|system)\b[^.\n]{0,20}\b(?:instructions?|prompts?|rules?|messages?|context)\b/i },
  { what: 'asks to hide something from the user', pattern: /\b(?:do not|don't|never|without)\b[^.\n]{0,20}\b(?:tell(?:ing)?|inform(?:ing)?|mention(?:ing)?|reveal(?:ing)?|show(?:ing)?|notify(?:ing)?|ask(?:ing)?)\b[^.\n]{0,30}\b(?:users?|humans?|person|anyone)\b/i },
  { what: 'claims the place of the system', pattern: /<\/?\s*(?:important|system|instructions?|secret|assistant|admin)\s*>|\[(?:system|inst)\]|\bsystem prompt\b|<\|im_start\|>/i },
  { what: 'orders other calls', pattern: /\b(?:before|after|prior to|whenever)\b[^.\n]{0,40}\b(?:using|calling|invoking|running)\b[^.\n]{0,40}\b(?:must|always|first|need to|have to)\b/i },
  { what: 'orders other calls', pattern: /\b(?:you must|always)\b[^.\n]{0,30}\b(?:call|invoke|run|use|read|send|pass|include)\b[^.\n]{0,60}\b(?:before|first|instead of|any other|every)\b/i },
  { what: 'names private files or credentials', pattern: /~\/\.(?:ssh|aws|cursor|config|gnupg|netrc)|\bid_(?:rsa|ed25519)\b|\/etc\/passwd|\bmcp\.json\b|\.env\b(?! file)|\bprivate key\b/i },
  { what: 'asks to send data away', pattern: /\b(?:send|forward|post|upload|exfiltrate|bcc)\b[^.\n]{0,60}(?:https?:\/\/|\b[\w.+-]+@[\w-]+\.[a-z]{2,})/i },
  { what: 'asks to set instructions aside', pattern: /(?:忽略|无视|忘记)[^。\n]{0,12}(?:之前|以上|先前|所有|其他)[^。\n]{0,8}(?:指令|指示|提示|规则)/ },
  { what: 'asks to hide something from the user', pattern: /(?:不要|别|勿|不得)[^。\n]{0,6}(?:告诉|告知|通知|提及|提示)[^。\n]{0,8}(?:用户|使用者|任何人)/ },
];

/** Longer text is looked at in its first part only; a description of that length is flagged by its size elsewhere. */
const MAX_CHARS = 200_000;

export interface InstructionSign {
  readonly what: string;
  readonly excerpt: string;
  /** UTF-16 units from 0 */
  readonly index: number;
}

export const findInstructions = (text: string): readonly InstructionSign[] => {
  const looked = text.slice(0, MAX_CHARS);
  const found: InstructionSign[] = [];
  for (const { what, pattern } of SIGNS) {
    const match = pattern.exec(looked);
    if (match && !found.some((sign) => sign.what === what)) found.push({ what, excerpt: match[0].slice(0, 160), index: match.index });
  }
  return found;
};
