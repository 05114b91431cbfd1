import { fault, type Fault } from '../../shared/fault.ts';

/** Why no answer of a model's provider came; each has its own words and way out under `code.model_unreachable.because`. */
type Why = 'refused' | 'name_unknown' | 'name_not_looked_up' | 'no_route' | 'no_answer' | 'not_tls' | 'not_http' | 'broke_off';

const WHY_OF: Readonly<Record<string, Why>> = {
  ECONNREFUSED: 'refused', ENOTFOUND: 'name_unknown', ENODATA: 'name_unknown', EAI_AGAIN: 'name_not_looked_up', ENETUNREACH: 'no_route', EHOSTUNREACH: 'no_route', ENETDOWN: 'no_route', EADDRNOTAVAIL: 'no_route',
  ETIMEDOUT: 'no_answer', CONNECT_TIMEOUT: 'no_answer', UND_ERR_CONNECT_TIMEOUT: 'no_answer', UND_ERR_HEADERS_TIMEOUT: 'no_answer', UND_ERR_BODY_TIMEOUT: 'no_answer', EPROTO: 'not_tls',
  ECONNRESET: 'broke_off', EPIPE: 'broke_off', ECONNABORTED: 'broke_off', UND_ERR_SOCKET: 'broke_off',
};
const PATTERNS: readonly (readonly [RegExp, Why])[] = [[/^ERR_SSL_/, 'not_tls'], [/^HPE_/, 'not_http']];

const SENTENCES: Readonly<Record<Why, (where: URL, withinMs: number | null) => string>> = {
  refused: ({ hostname, port, protocol }) => `Nothing listens at ${hostname}, port ${port === '' ? (protocol === 'https:' ? 443 : 80) : port}.`,
  name_unknown: ({ hostname }) => `No computer of the name ${hostname} is known.`,
  name_not_looked_up: ({ hostname }) => `The name ${hostname} could not be looked up now.`,
  no_route: ({ hostname }) => `No way leads from this computer to ${hostname}.`,
  no_answer: ({ origin }, withinMs) => `${origin} gave no answer ${withinMs === null ? 'in time' : `within ${Math.round(withinMs / 1000)} s`}.`,
  not_tls: ({ host }) => `What answers at ${host} does not speak TLS (https).`,
  not_http: ({ host }) => `What answers at ${host} does not speak HTTP.`,
  broke_off: ({ origin }) => `${origin} ended the connection before it answered.`,
};
const REMEDIES: Readonly<Record<Why, string>> = {
  refused: 'Start the program that serves the model, and check the port of the address.',
  name_unknown: 'Check the address for typing errors.',
  name_not_looked_up: 'Check the network connection of this computer, then try again.',
  no_route: 'Check the network connection of this computer, and a VPN that the address may need.',
  no_answer: 'Look whether the provider works and the model is still being loaded; check the address, and whether a firewall is in the way.',
  not_tls: 'Enter the address with http:// if the model runs here or in your own network; else check the port.',
  not_http: 'Check the port of the address; where the other side speaks TLS, enter it with https://.',
  broke_off: 'Try again; if it stays so, look at the log of what answers there, and check http or https in the address.',
};

/** Errors that have a name in the place of a code. */
const CODE_OF_NAME: Readonly<Record<string, string>> = { TimeoutError: 'ETIMEDOUT', HTTPParserError: 'HPE_INVALID' };

/** The codes of an error and of what caused it, the outermost first; bounded. */
const codesOf = (thrown: unknown): readonly string[] => {
  const codes: string[] = [];
  let at: unknown = thrown;
  for (let depth = 0; typeof at === 'object' && at !== null && depth < 8; depth += 1) {
    const { code, name, cause, errors } = at as { readonly code?: unknown; readonly name?: unknown; readonly cause?: unknown; readonly errors?: unknown };
    const named = typeof name === 'string' && Object.hasOwn(CODE_OF_NAME, name) ? CODE_OF_NAME[name] : undefined;
    if (named !== undefined) codes.push(named);
    else if (typeof code === 'string') codes.push(code);
    at = cause ?? (Array.isArray(errors) ? (errors as readonly unknown[])[0] : undefined);
  }
  return codes;
};

const whyOf = (code: string): Why | null => (Object.hasOwn(WHY_OF, code) ? WHY_OF[code]! : (PATTERNS.find(([pattern]) => pattern.test(code))?.[1] ?? null));

/** model_unreachable with details.why and details.cause, the system's code. `withinMs`: how long was waited at most, where one limit holds for all. Null where the error says nothing of it. */
export const unreachable = (thrown: unknown, baseUrl: string, withinMs: number | null): Fault | null => {
  for (const cause of codesOf(thrown)) {
    const why = whyOf(cause);
    if (why !== null) return fault('model_unreachable', SENTENCES[why](new URL(baseUrl), withinMs), { remedy: REMEDIES[why], details: { why, cause } });
  }
  return null;
};

export const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

const LONGEST_LOCATION = 500;

/** The address leads on to another one, which Gantry does not follow: the key is for the one that was entered. `location`: untrusted; what it asks for is left out. */
export const leadsElsewhere = (status: number, location: string | null, asked: string, mask: (text: string) => string): Fault => {
  const to = location === null ? null : URL.parse(location, asked);
  const isAddress = to !== null && (to.protocol === 'https:' || to.protocol === 'http:');
  const shown = isAddress ? mask(`${to.origin}${to.pathname}`).replace(/\/(?:models|chat\/completions|responses|messages)\/?$/, '').slice(0, LONGEST_LOCATION) : null;
  return fault('model_unreachable', shown === null ? `The address answers with a redirect that names no address (${status}).` : `The address leads on to ${shown} (${status}), where nothing was sent.`, {
    remedy: 'If you trust the address that it leads to, enter that one.', details: { why: 'redirect', status, ...(shown === null ? {} : { location: shown }) },
  });
};

const PASSING: ReadonlySet<unknown> = new Set<Why>(['refused', 'name_unknown', 'name_not_looked_up', 'no_route', 'no_answer', 'broke_off']);

/** Whether the way may be there in a moment: not where something else answers there. */
export const mayPass = (details: Fault['details']): boolean => PASSING.has(details?.['why']);
