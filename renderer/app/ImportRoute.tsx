import { ImportPage } from '../features/import/ImportPage.tsx';
import { useSecretStore } from '../features/servers/use-secret-store.tsx';

/** The import keeps secrets by the same dialog as adding a server does. */
export function ImportRoute({ text }: { readonly text: string | null }) {
  const { ensureOpen, dialog } = useSecretStore();
  return (
    <>
      <ImportPage text={text} ensureSecretStore={ensureOpen} />
      {dialog}
    </>
  );
}
