import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import type { MarketEntry, MarketInput } from '../../../shared/market.ts';
import type { Launch } from '../../../shared/server.ts';
import { lineParts } from '../../parts/command-line.ts';
import { LoadedView } from '../../parts/LoadedView.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { useRequest } from '../../stores/use-request.ts';
import classes from './EntryDetails.module.css';
import { described } from './source-words.ts';

/** Exactly what would run or be contacted, as the host would start it here; what the person has still to give stands by its name. */
export function EntryLaunch({ entry }: { readonly entry: MarketEntry }) {
  const { t } = useTranslation();
  const { state, reload } = useRequest('servers:preview', { spec: entry.spec, marketEntryId: entry.id });
  return (
    <LoadedView of={state} what={t('market.launch.loading')} rows={1} retry={reload}>
      {({ launch }) => <LaunchWords entry={entry} launch={launch} />}
    </LoadedView>
  );
}

function LaunchWords({ entry, launch }: { readonly entry: MarketEntry; readonly launch: Launch }) {
  const { t } = useTranslation();
  const { spec, inputs } = entry;
  const names = inputs.filter((input) => input.target === (launch.kind === 'http' ? 'header' : 'env')).map(({ name }) => name);
  const known = Object.keys(launch.kind === 'http' ? launch.headers : launch.env).filter((name) => !names.includes(name));
  return (
    <>
      <p className={classes['line']}>
        <code>{launch.kind === 'http' ? <UntrustedText text={launch.url} /> : <CommandLine entry={entry} launch={launch} />}</code>
      </p>
      <p className="g-muted g-small">
        {launch.kind === 'http' ? t('market.launch.remote') : t(`market.launch.${spec.kind === 'builtin' ? 'builtin' : spec.kind === 'npm' ? 'npm' : 'program'}`)}{' '}
        {names.length + known.length > 0 && (
          <>
            {t(launch.kind === 'http' ? 'market.launch.headers' : 'market.launch.environment')} <UntrustedText text={[...names, ...known].join(', ')} maxLength={300} />
          </>
        )}
      </p>
    </>
  );
}

/** Stands where the program of a package will stand once it is fetched. */
const PROGRAM = { secretRef: '' } as const;

function CommandLine({ entry, launch }: { readonly entry: MarketEntry; readonly launch: Extract<Launch, { kind: 'stdio' }> }) {
  const { t, i18n } = useTranslation();
  const { spec } = entry;
  const args = spec.kind === 'npm' ? [PROGRAM, ...launch.args.slice(1)] : launch.args;
  const asked = (input: MarketInput): string => `${input.name.startsWith('-') ? `${input.name} ` : (input.prefix ?? '')}<${described(input.label, i18n.language)}>`;
  return (
    <>
      {lineParts(launch.command, args).map((part, at) => (
        <Fragment key={at}>
          {at > 0 && ' '}
          {typeof part === 'string' ? <UntrustedText text={part} /> : <em>{t('market.launch.packageProgram', { name: spec.kind === 'npm' ? `${spec.package}@${spec.version ?? 'latest'}` : '' })}</em>}
        </Fragment>
      ))}
      {entry.inputs
        .filter((input) => input.target === 'arg')
        .map((input) => (
          <em key={input.name}>
            {' '}
            <UntrustedText text={input.required ? asked(input) : `[${asked(input)}]`} />
          </em>
        ))}
    </>
  );
}
