/** The gantry crane: the product in one picture. */
export function Logo({ size = 20 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 20 20" fill="none" stroke="currentColor" strokeWidth="1.7" aria-hidden="true">
      <path d="M1.5 3.5h17M3.5 3.5v14M16.5 3.5v14M1.5 7h17M10 7v3" />
      <rect x="7" y="10" width="6" height="4.5" />
    </svg>
  );
}
