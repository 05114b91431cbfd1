import { UntrustedText } from '../../parts/UntrustedText.tsx';

/** An outside address, shown in full before it is opened. What is no https address stays text. */
export function FullLink({ url }: { readonly url: string }) {
  if (!/^https:\/\//.test(url)) return <UntrustedText text={url} />;
  return (
    <a href={url} target="_blank" rel="noreferrer noopener" style={{ overflowWrap: 'anywhere' }}>
      <UntrustedText text={url} />
    </a>
  );
}
