import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ConfigValue, Launch } from '../../../shared/server.ts';
import { CopyButton } from '../../parts/CopyButton.tsx';
import { Hash } from '../../parts/Hash.tsx';
import { UntrustedText } from '../../parts/UntrustedText.tsx';
import { useHealth } from '../../stores/health.ts';
import { commandLine, lineParts } from '../../parts/command-line.ts';
import { givenVariables, isLoopbackUrl } from './server-claims.ts';
import classes from './LaunchFacts.module.css';

export interface AwaitedPackage {
  readonly package: string;
  readonly version?: string | undefined;
}

interface LaunchFactsProps {
  readonly launch: Launch;
  readonly home: 'own' | 'user';
  /** a package that is not fetched yet: its exact version, integrity, lock and program are not known, and so no fingerprint */
  readonly awaited?: AwaitedPackage | null;
  /** names of values that differ from the launch agreed to before */
  readonly marked?: ReadonlySet<string>;
}

/** Exactly what will run or be contacted, whole: command line, folders, names and values, where it runs and as whom, where credentials lie, integrity. */
export function LaunchFacts({ launch, home, awaited = null, marked = new Set() }: LaunchFactsProps) {
  const { t } = useTranslation();
  const values = launch.kind === 'http' ? launch.headers : launch.env;
  const secrets = [...Object.values(values), ...Object.values(launch.placeholders ?? {})].some((value) => 'secretRef' in value);
  const secretArguments = launch.kind === 'stdio' && launch.args.some((arg) => typeof arg !== 'string');
  const line = launch.kind === 'http' ? launch.url : commandLine(launch.command, launch.args);
  return (
    <div className={classes['facts']}>
      <div className={classes['line']} data-marked={marked.has('line')}>
        <code>
          {launch.kind === 'http' ? <UntrustedText text={line} /> : <CommandLine launch={launch} awaited={awaited} />}
        </code>
        {awaited === null && <CopyButton text={line} name={t('servers.launch.commandLine')} />}
      </div>
      <dl className={classes['list']}>
        {launch.kind === 'stdio' && launch.package && (
          <Fact name={t('servers.launch.package')} marked={marked.has('package')}>
            <code>
              <UntrustedText text={`${launch.package.name} ${launch.package.version}`} />
            </code>
            <br />
            <Hash value={launch.package.integrity} label={t('servers.launch.integrity')} /> <Hash value={launch.package.lockSha256} label={t('servers.launch.lock')} />
          </Fact>
        )}
        {awaited !== null && (
          <Fact name={t('servers.launch.package')}>
            <code>
              <UntrustedText text={awaited.version === undefined ? awaited.package : `${awaited.package} ${awaited.version}`} />
            </code>
            <br />
            <span className="g-muted">{t(awaited.version === undefined ? 'servers.launch.latestRecorded' : 'servers.launch.recorded')}</span>
          </Fact>
        )}
        {launch.kind === 'stdio' && (
          <>
            <Fact name={t('servers.launch.folder')} marked={marked.has('folder')}>
              <code>
                <UntrustedText text={launch.cwd} />
              </code>
            </Fact>
            <Fact name={t('servers.launch.home')} marked={marked.has('home')}>
              <code>
                <UntrustedText text={launch.home} />
              </code>{' '}
              <span className="g-muted">{t(home === 'own' ? 'servers.launch.homeOwn' : 'servers.launch.homeUser')}</span>
            </Fact>
          </>
        )}
        <Fact name={t(launch.kind === 'http' ? 'servers.launch.headers' : 'servers.launch.environment')} marked={[...marked].some((name) => name.startsWith('value.'))}>
          <Values values={values} marked={marked} />
          {launch.kind === 'stdio' && <Given launch={launch} />}
        </Fact>
        {Object.keys(launch.placeholders ?? {}).length > 0 && (
          <Fact name={t('servers.launch.placeholders')} marked={marked.has('placeholders')}>
            <ul className={classes['values']}>
              {Object.entries(launch.placeholders ?? {}).map(([name, one]) => (
                <li key={name}>
                  <code>
                    <UntrustedText text={`\${${name}}`} />
                  </code>{' '}
                  {'variable' in one ? t('servers.launch.readsVariable', { variable: one.variable }) : <span className="g-muted">{t('servers.launch.secret', { reference: one.secretRef })}</span>}
                </li>
              ))}
            </ul>
          </Fact>
        )}
        <Fact name={t('servers.launch.runs')}>{t(launch.kind !== 'http' ? 'servers.launch.runsHere' : isLoopbackUrl(launch.url) ? 'servers.launch.runsLoopback' : 'servers.launch.runsRemote')}</Fact>
        <Fact name={t('servers.launch.credentials')}>
          <Credentials secrets={secrets} secretArguments={secretArguments} remote={launch.kind === 'http'} />
        </Fact>
        <Fact name={t('servers.launch.fingerprint')}>
          {awaited === null ? <Hash value={launch.fingerprint} /> : <span className="g-muted">{t('servers.launch.fingerprintLater')}</span>}
        </Fact>
      </dl>
    </div>
  );
}

/** Stands where the program of a package will stand once it is fetched. */
const PROGRAM = { secretRef: '' } as const;

function CommandLine({ launch, awaited }: { readonly launch: Extract<Launch, { kind: 'stdio' }>; readonly awaited: AwaitedPackage | null }) {
  const { t } = useTranslation();
  const args = awaited === null ? launch.args : [PROGRAM, ...launch.args.slice(1)];
  return lineParts(launch.command, args).map((part, at) => (
    <Fragment key={typeof part === 'string' ? at : part.secretRef}>
      {at > 0 && ' '}
      {typeof part === 'string' ? (
        <UntrustedText text={part} />
      ) : (
        <span className={classes['sealed']}>{part === PROGRAM ? t('servers.launch.program', { name: awaited?.package }) : t('servers.launch.secret', { reference: part.secretRef })}</span>
      )}
    </Fragment>
  ));
}

/** What it gets beside its own variables, each by where it comes from. */
function Given({ launch }: { readonly launch: Extract<Launch, { kind: 'stdio' }> }) {
  const { t } = useTranslation();
  const { copied, home, mark } = givenVariables(launch);
  return (
    <>
      {copied.length > 0 && <p className="g-muted g-small">{t('servers.launch.inherited', { names: copied.join(', ') })}</p>}
      {home.length > 0 && <p className="g-muted g-small">{t('servers.launch.homeVariable', { names: home.join(', ') })}</p>}
      {mark !== null && <p className="g-muted g-small">{t('servers.launch.mark', { name: mark })}</p>}
    </>
  );
}

function Fact({ name, marked = false, children }: { readonly name: string; readonly marked?: boolean; readonly children: ReactNode }) {
  return (
    <div className={classes['fact']} data-marked={marked}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Values({ values, marked }: { readonly values: Readonly<Record<string, ConfigValue>>; readonly marked: ReadonlySet<string> }) {
  const { t } = useTranslation();
  const entries = Object.entries(values);
  if (entries.length === 0) return <span className="g-muted">{t('servers.launch.none')}</span>;
  return (
    <ul className={classes['values']}>
      {entries.map(([name, value]) => (
        <li key={name} data-marked={marked.has(`value.${name}`)}>
          <code>
            <UntrustedText text={name} />
          </code>{' '}
          {'plain' in value ? (
            <code className={classes['value']}>
              <UntrustedText text={value.plain} />
            </code>
          ) : (
            <span className="g-muted">{t('servers.launch.secret', { reference: value.secretRef })}</span>
          )}
        </li>
      ))}
    </ul>
  );
}

function Credentials({ secrets, secretArguments, remote }: { readonly secrets: boolean; readonly secretArguments: boolean; readonly remote: boolean }) {
  const { t } = useTranslation();
  const provider = useHealth((state) => (state.health.phase === 'ready' ? state.health.value.secrets.provider : 'none'));
  if (!secrets && !secretArguments) return <>{t('servers.launch.noCredentials')}</>;
  return (
    <>
      {t(`servers.launch.kept.${provider}`)}
      {secrets && <p>{t(remote ? 'servers.launch.handedHeader' : 'servers.launch.handedProcess')}</p>}
      {secretArguments && (
        <p>
          <strong>{t('servers.launch.handedArguments')}</strong>
        </p>
      )}
    </>
  );
}
