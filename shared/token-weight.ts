/** UTF-8 bytes of definitions in JSON to one token, and tokens to one character of Chinese, Japanese or Korean: measured over lists of real servers with two public tokenizers. */
const BYTES_A_TOKEN = 4.4;
const TOKENS_A_WIDE = 0.85;

const isWide = (unit: number): boolean => (unit >= 0x2e80 && unit <= 0x9fff) || (unit >= 0xac00 && unit <= 0xd7af) || (unit >= 0xf900 && unit <= 0xfaff) || (unit >= 0xff00 && unit <= 0xffef);

/** Tokens of a text, estimated: providers count otherwise, each in its own way. */
export const tokensOf = (text: string): number => {
  let wide = 0;
  let bytes = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (isWide(unit)) wide += 1;
    // half of a pair: two of four bytes
    else bytes += unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 2 : 3;
  }
  return Math.ceil(bytes / BYTES_A_TOKEN + wide * TOKENS_A_WIDE);
};
