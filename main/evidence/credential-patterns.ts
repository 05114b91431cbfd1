/**
 * Shapes of credentials that are masked even when the host does not know their value. Each expression runs in linear time:
 * a look-behind keeps a match from starting inside a run of the same characters.
 */
export interface CredentialPattern {
  readonly kind: string;
  readonly expression: RegExp;
  /** kept in front of the mask, e.g. the scheme of a URL */
  readonly keep?: (match: string) => string;
}

export const CREDENTIAL_PATTERNS: readonly CredentialPattern[] = [
  { kind: 'aws_access_key', expression: /(?<![A-Za-z0-9])(?:AKIA|ASIA)[0-9A-Z]{16}(?![A-Za-z0-9])/g },
  { kind: 'github_token', expression: /(?<![A-Za-z0-9_])(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{22,})/g },
  { kind: 'gitlab_token', expression: /(?<![A-Za-z0-9_-])glpat-[A-Za-z0-9_-]{20,}/g },
  { kind: 'npm_token', expression: /(?<![A-Za-z0-9_])npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])/g },
  { kind: 'api_key', expression: /(?<![A-Za-z0-9_-])sk-[A-Za-z0-9_-]{20,}/g },
  { kind: 'stripe_key', expression: /(?<![A-Za-z0-9_])[rs]k_(?:live|test)_[A-Za-z0-9]{16,}/g },
  { kind: 'google_key', expression: /(?<![A-Za-z0-9_-])AIza[0-9A-Za-z_-]{35}(?![0-9A-Za-z_-])/g },
  { kind: 'slack_token', expression: /(?<![A-Za-z0-9-])xox[abeoprs]-[A-Za-z0-9-]{10,}/g },
  { kind: 'jwt', expression: /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{5,}/g },
  { kind: 'bearer', expression: /(?<![A-Za-z])[Bb]earer[ \t]{1,8}[A-Za-z0-9._~+/-]{16,}=*/g, keep: (match) => match.slice(0, 6) + ' ' },
  { kind: 'url_password', expression: /:\/\/[^\s/:@"\\]{1,256}:[^\s/@"\\]{1,256}@/g, keep: (match) => match.slice(0, match.indexOf(':', 3) + 1) },
];

/** One cheap test for "there may be something": most texts stop here. */
export const MAY_HOLD_CREDENTIAL =
  /AKIA|ASIA|gh[pousr]_|github_pat_|glpat-|npm_|sk-|[rs]k_(?:live|test)_|AIza|xox[abeoprs]-|eyJ|[Bb]earer[ \t]|PRIVATE KEY|:\/\/[^\s/:@"\\]{1,256}:/;

const BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----/g;

/** Private key blocks by index, not by one expression, so that a thousand openings without an end stay linear. An unclosed block is masked to the end. */
export const maskPrivateKeys = (text: string, mask: string): { readonly text: string; readonly count: number } => {
  if (!text.includes('PRIVATE KEY-----')) return { text, count: 0 };
  let out = '';
  let at = 0;
  let count = 0;
  BEGIN.lastIndex = 0;
  for (let match = BEGIN.exec(text); match; match = BEGIN.exec(text)) {
    const end = text.indexOf('-----END ', BEGIN.lastIndex);
    const close = end < 0 ? -1 : text.indexOf('-----', end + 9);
    out += text.slice(at, match.index) + mask;
    count += 1;
    at = close < 0 ? text.length : close + 5;
    if (at >= text.length) break;
    BEGIN.lastIndex = at;
  }
  return { text: out + text.slice(at), count };
};
