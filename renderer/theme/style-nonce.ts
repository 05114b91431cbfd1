/**
 * The nonce that the shell wrote into this page (`html.cspNonce` in vite.config.ts). The content policy lets style elements in by it alone;
 * style attributes need nothing, because React sets them through the CSS object model.
 */
export const styleNonce = (): string => document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

/** The scroll lock of dialogs takes its nonce from the global that bundlers agreed on. */
export const shareStyleNonce = (): void => {
  (globalThis as { __webpack_nonce__?: string }).__webpack_nonce__ = styleNonce();
};
