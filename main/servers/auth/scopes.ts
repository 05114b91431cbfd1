const MOST_SCOPES = 50;

/** Scope tokens (RFC 6749, 3.3) in their first order, each once; what is no token is left out. */
export const scopesIn = (text: string | null | undefined): string[] => [...new Set((text ?? '').split(' '))].filter((one) => /^[\x21\x23-\x5B\x5D-\x7E]{1,200}$/.test(one)).slice(0, MOST_SCOPES);
