import { useTranslation } from 'react-i18next';
import { UntrustedText } from '../../parts/UntrustedText.tsx';

interface Report {
  readonly readable: readonly string[];
  readonly secretsToRotate: readonly string[];
  readonly revokedGrants: number | null;
}

/** What it could read while it ran, and which secrets to make anew. */
export function QuarantineReport({ report }: { readonly report: Report }) {
  const { t } = useTranslation();
  const list = (values: readonly string[], none: string) =>
    values.length === 0 ? (
      <p className="g-muted">{none}</p>
    ) : (
      <ul>
        {values.map((value) => (
          <li key={value}>
            <UntrustedText text={value} maxLength={400} />
          </li>
        ))}
      </ul>
    );
  return (
    <>
      {report.revokedGrants !== null && <p>{t('servers.quarantine.revoked', { count: report.revokedGrants })}</p>}
      <h3 className="g-heading">{t('servers.quarantine.rotate')}</h3>
      {list(report.secretsToRotate, t('servers.quarantine.rotateNone'))}
      <h3 className="g-heading">{t('servers.quarantine.readable')}</h3>
      {list(report.readable, t('servers.quarantine.readableNone'))}
    </>
  );
}
