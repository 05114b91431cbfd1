/** The nonce that the shell gave this page for style elements (vite's `html.cspNonce`); empty under the dev server. */
export const styleNonce = (): string => document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

/** react-remove-scroll (Mantine's modals) reads its nonce from webpack's well-known global. */
export const shareStyleNonce = (): void => {
  (globalThis as { __webpack_nonce__?: string }).__webpack_nonce__ = styleNonce();
};
