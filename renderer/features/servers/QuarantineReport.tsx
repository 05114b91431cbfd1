import { useTranslation } from 'react-i18next';
import type { ReachedPlace } from '../../../shared/server.ts';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { placeName } from './reached-place.ts';

interface Report {
  readonly readable: readonly ReachedPlace[];
  readonly secretsToRotate: readonly string[];
  readonly revokedGrants: number | null;
}

/** What it could read while it ran, and which secrets to make anew. */
export function QuarantineReport({ report }: { readonly report: Report }) {
  const { t } = useTranslation();
  return (
    <>
      {report.revokedGrants !== null && <p>{t('servers.quarantine.revoked', { count: report.revokedGrants })}</p>}
      <h3 className="g-heading">{t('servers.quarantine.rotate')}</h3>
      {report.secretsToRotate.length === 0 ? (
        <p className="g-muted">{t('servers.quarantine.rotateNone')}</p>
      ) : (
        <ul>
          {report.secretsToRotate.map((secret) => (
            <li key={secret}>
              <Name text={secret} />
            </li>
          ))}
        </ul>
      )}
      <h3 className="g-heading">{t('servers.quarantine.readable')}</h3>
      {report.readable.length === 0 ? (
        <p className="g-muted">{t('servers.quarantine.readableNone')}</p>
      ) : (
        <ul>
          {report.readable.map((place) => (
            <li key={`${place.what} ${place.name}`}>
              {t(`servers.reached.${place.what}`)}
              {place.name !== '' && <Name text={placeName(place)} />}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Name({ text }: { readonly text: string }) {
  return (
    <code className="g-mono">
      <UntrustedText text={text} maxLength={400} />
    </code>
  );
}
