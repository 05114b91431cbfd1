import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import type { ReachedPlace } from '../../../shared/server.ts';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { byKind, placeName } from './reached-place.ts';

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
          {byKind(report.readable).map(([what, places]) => (
            <li key={what}>
              {t(`servers.reached.${what}`)}
              {places.map((place, at) => (
                <Fragment key={place.name}>
                  {at > 0 && t('servers.comma')}
                  {place.name !== '' && <Name text={placeName(place)} />}
                </Fragment>
              ))}
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
