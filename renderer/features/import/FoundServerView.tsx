import { Checkbox, Radio } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ImportAs, ImportLaunch, ImportServer } from '../../../shared/import.ts';
import { FaultView } from '../../parts/FaultView.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import classes from './Import.module.css';
import { valuesOf, type ServerDraft } from './import-draft.ts';
import { NotBroughtList } from './NotBroughtList.tsx';
import { usePlaceWords } from './place-words.ts';

interface FoundServerViewProps {
  readonly server: ImportServer;
  readonly draft: ServerDraft;
  readonly onChange: (change: Partial<ServerDraft>) => void;
}

/** One server as it would come over: the whole command, each value with whether it is sealed, what stays behind, what deserves a second look. */
export function FoundServerView({ server, draft, onChange }: FoundServerViewProps) {
  const { t } = useTranslation();
  const placeWords = usePlaceWords();
  const values = valuesOf(server, draft);
  const launch = server.launches.find((one) => one.as === draft.as) ?? server.launches[0];
  const settings = values.filter((value) => /^(env|header|cwd|url)\b/.test(value.place) && value.place !== 'url');
  return (
    <>
      <div className={classes['head']}>
        <Checkbox checked={draft.picked} disabled={server.fault !== null} onChange={(event) => onChange({ picked: event.currentTarget.checked })} label={<span className={classes['name']}><UntrustedText text={server.name} maxLength={80} /></span>} />
        <span className="g-small g-muted">{server.sources.map((source) => t(`import.host.${source.host}`)).filter((name, at, all) => all.indexOf(name) === at).join(' · ')}</span>
        {server.disabled && <span className="g-small g-muted">{t('import.found.disabled')}</span>}
        {server.existing.map((one) => (
          <span key={one.serverId} className="g-small g-awaits">
            {t(`import.found.${one.how}`)} <UntrustedText text={one.name} maxLength={80} />
          </span>
        ))}
      </div>
      {server.fault && <FaultView fault={{ ...server.fault }} compact />}
      <Line server={server} launch={launch} />
      {server.launches.length > 1 && (
        <Radio.Group value={draft.as} onChange={(as) => onChange({ as: as as ImportAs })} aria-label={t('import.found.asLabel', { name: server.name })}>
          <div className={classes['choices']}>
            {server.launches.map((one) => (
              <Radio key={one.as} value={one.as} label={one.as === 'npm' ? t('import.found.npm', { name: one.package, version: one.version ?? t('import.found.latest') }) : t(`import.found.${one.as}`)} />
            ))}
          </div>
        </Radio.Group>
      )}
      {(settings.length > 0 || values.some((value) => value.secret)) && (
        <ul className={classes['values']}>
          {values.filter((value) => settings.includes(value) || value.secret).map((value) => (
            <li key={value.place}>
              <span className="g-small"><UntrustedText text={placeWords(value.place)} maxLength={160} /></span>
              <code><UntrustedText text={value.shown} maxLength={600} /></code>
              {value.asks.length > 0 && !value.secret ? <span className="g-small g-muted">{t('import.found.placeholder')}</span> : <Checkbox size="xs" checked={draft.secret[value.place] ?? value.secret} disabled={value.place === 'cwd'} onChange={(event) => onChange({ secret: { ...draft.secret, [value.place]: event.currentTarget.checked } })} label={t('import.found.secret')} aria-label={t('import.found.secretOf', { name: placeWords(value.place), server: server.name })} title={t(`import.why.${value.why}`)} />}
            </li>
          ))}
        </ul>
      )}
      {server.dangerous.length > 0 && (
        <div className={classes['notes']}>
          <strong>{t('import.found.dangerous')}</strong>
          {server.dangerous.map((name) => (
            <Checkbox key={name} mt={4} size="xs" checked={draft.dangerous.includes(name)} label={<code><UntrustedText text={name} maxLength={80} /></code>} onChange={(event) => onChange({ dangerous: event.currentTarget.checked ? [...draft.dangerous, name] : draft.dangerous.filter((one) => one !== name) })} />
          ))}
        </div>
      )}
      {server.warnings.length > 0 && (
        <ul className={classes['notes']} aria-label={t('import.found.warnings')}>
          {server.warnings.map((warning) => (
            <li key={`${warning.code} ${warning.detail}`}>
              <strong>{t(`import.warning.${warning.code}`)}</strong> <code><UntrustedText text={placeWords(warning.detail)} maxLength={200} /></code>
            </li>
          ))}
        </ul>
      )}
      {server.notBrought.length > 0 && <NotBroughtList fields={server.notBrought} title={t('import.found.notBrought', { count: server.notBrought.length })} />}
      <details className={classes['quiet']}>
        <summary>{t('import.found.where', { count: server.sources.length })}</summary>
        <ul>
          {server.sources.map((source) => (
            <li key={`${source.path} ${source.place}`}>
              {t(`import.host.${source.host}`)} {source.path !== null && <code><UntrustedText text={source.path} maxLength={300} /></code>} <code><UntrustedText text={source.place} maxLength={200} /></code>
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}

/** Every word of the command by itself, unshortened, so that padding and hidden characters are seen. */
function Line({ server, launch }: { readonly server: ImportServer; readonly launch: ImportLaunch | undefined }) {
  const { t } = useTranslation();
  if (launch?.as === 'http') return <p className={classes['line']}><code><UntrustedText text={launch.url} /></code></p>;
  const shown = (place: string): string => server.values.find((value) => value.place === place)?.shown ?? '';
  const args = launch === undefined ? server.values.filter((value) => value.place.startsWith('arg.') || value.place === 'url').map((value) => value.shown) : launch.args.map(shown);
  const command = launch === undefined ? shown('command') : launch.as === 'npm' ? launch.package : launch.command;
  return (
    <p className={classes['line']} aria-label={t('import.found.line')} role="group">
      {[command, ...args].filter((word, at) => at > 0 || word !== '').map((word, at) => (
        <code key={`${at} ${word}`}>{word === '' ? t('import.found.emptyWord') : <UntrustedText text={word} />}</code>
      ))}
    </p>
  );
}
