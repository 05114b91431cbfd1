import { fault } from '../../shared/fault.ts';
import type { Fault } from '../../shared/fault.ts';
import { networkFault } from '../network/network-fault.ts';

export type InstallStep = 'resolve' | 'download' | 'extract' | 'scripts' | 'check' | 'restore' | 'commit';

/** Codes of Node, undici, minipass-fetch and npm's fetch that mean: nobody answered, or the answer did not arrive whole. */
const NETWORK = /^(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ECONNABORTED|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENETDOWN|EPIPE|EPROTO|FETCH_ERROR|ENOTCACHED|ERR_SOCKET_TIMEOUT|ECONNECTIONTIMEOUT|EIDLETIMEOUT|ERESPONSETIMEOUT|ETRANSFERTIMEOUT|UND_ERR_\w+|CERT_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|ERR_TLS_\w+|ERR_SSL_\w+|EINVALIDPROXY|EINVALIDRESPONSE|E429|E5\d\d)$/;

interface NpmError {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly type?: unknown;
  readonly statusCode?: unknown;
  readonly wanted?: unknown;
  readonly versions?: unknown;
  readonly pkgid?: unknown;
  readonly package?: unknown;
}

/** Credentials can stand in an address; none may reach a message. */
const clean = (text: string): string => text.replace(/(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@]*@/gi, '$1***@').replace(/([?&](?:[\w-]*token|key|auth|sig\w*)=)[^\s&]+/gi, '$1***').slice(0, 600);

const newest = (versions: unknown): string[] => (Array.isArray(versions) ? versions.filter((v): v is string => typeof v === 'string').slice(-10).toReversed() : []);

/** Turns what pacote, arborist or the file system threw into one coded fault. `request` is what was asked for, `registry` where. */
export const registryFault = (thrown: unknown, step: InstallStep, request: { readonly name: string; readonly version: string }, registry?: string): Fault => {
  const error = (typeof thrown === 'object' && thrown !== null ? thrown : { message: String(thrown) }) as NpmError;
  const code = typeof error.code === 'string' ? error.code : typeof error.type === 'string' ? error.type : '';
  const reason = clean(String(error.message ?? code));
  const details = { step, reason, ...(registry === undefined ? {} : { registry }), ...(code === '' ? {} : { cause: code }), package: request.name };
  const about = typeof error.pkgid === 'string' ? error.pkgid : typeof error.package === 'string' ? error.package : `${request.name}@${request.version}`;

  const where = registry === undefined ? 'The registry' : `The registry ${registry}`;
  const way = networkFault(thrown, where);
  if (way !== null) return { ...way, field: 'spec.package', details: { ...details, ...way.details } };
  if (code === 'E404') {
    const own = step === 'resolve' || about.startsWith(`${request.name}@`);
    return fault('package_not_found', own ? `${where} does not know the package ${request.name}.` : `${request.name} depends on ${about}, which the registry does not know.`, {
      field: 'spec.package',
      remedy: own ? 'Check the name. A private package needs its registry and credentials: under Settings, Network, npm mirror, or in your .npmrc. A mirror may not have every package.' : 'Try another version, or tell the publisher; a mirror may not have every package.',
      details,
    });
  }
  if (code === 'ETARGET' || code === 'ENOVERSIONS' || code === 'E410') {
    return fault('package_not_found', `${where} has no version ${request.version} of ${request.name}.`, {
      field: 'spec.version',
      remedy: 'Take one of the listed versions, or leave the version empty for the latest. A mirror may lag behind: ask whoever runs it.',
      details: { ...details, versions: newest(error.versions) },
    });
  }
  if (code === 'EINTEGRITY' || code === 'EBADSIZE' || code === 'TAR_BAD_ARCHIVE' || code === 'TAR_ABORT') {
    return fault('integrity_mismatch', `What was downloaded for ${about} is not what the registry or the lock says it should be.`, {
      field: 'spec.package',
      remedy: 'Try again. If it stays so, the registry or a proxy changes packages: do not use it.',
      details,
    });
  }
  if (NETWORK.test(code) || /network|socket|timeout|ECONN/i.test(`${code} ${String(error.type ?? '')}`)) {
    return fault('network_failed', `${where === 'The registry' ? 'The package registry' : where} could not be reached.`, {
      field: 'spec.package',
      remedy: 'Check the network, and proxy and npm mirror under Settings, Network: their tests say what happens step by step. Then try again.',
      details,
    });
  }
  const remedy =
    code === 'E401' || code === 'E403' || code === 'ENEEDAUTH' ? 'The registry asks for credentials: give its token under Settings, Network, npm mirror, or put them into your .npmrc.'
    : code === 'ENOSPC' || code === 'EDQUOT' ? 'Free disk space, then try again.'
    : code === 'EACCES' || code === 'EPERM' || code === 'EROFS' ? 'Check the rights of the data folder.'
    : code === 'EBADPLATFORM' ? 'The package is not made for this operating system or processor.'
    : code.startsWith('EALLOW') ? 'The package depends on a git repository or a folder, which Gantry does not install.'
    : 'Try again, or try another version.';
  return fault('install_failed', `${request.name} could not be installed: ${reason}`, { field: 'spec.package', remedy, details });
};
