import { fault, type Fault } from '../../shared/fault.ts';
import { err, ok, type Result } from '../../shared/result.ts';

/**
 * What a child gets from the host's own environment (M14). Names only a desktop session or a credential agent needs (DISPLAY, SSH_AUTH_SOCK, cloud
 * and CI tokens) are not here: a server that wants one has it in its own configuration. XDG_RUNTIME_DIR stays out because it leads to the session's sockets.
 */
const INHERITED_POSIX = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER', 'LANG', 'LANGUAGE', 'TZ', 'TMPDIR'] as const;
const INHERITED_WINDOWS = [
  'APPDATA', 'COMSPEC', 'HOMEDRIVE', 'HOMEPATH', 'LOCALAPPDATA', 'PATH', 'PATHEXT', 'PROCESSOR_ARCHITECTURE', 'PROGRAMDATA', 'PROGRAMFILES',
  'PROGRAMFILES(X86)', 'PROGRAMW6432', 'SYSTEMDRIVE', 'SYSTEMROOT', 'TEMP', 'TMP', 'USERNAME', 'USERPROFILE', 'WINDIR',
] as const;
/** Whom the system trusts. A proxy is not here: its address may hold a password, so a server gets it by the person's own setting alone (network/app-environment.ts). */
const INHERITED_NETWORK = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'] as const;

const isInherited = (name: string, windows: boolean): boolean => {
  const upper = name.toUpperCase();
  if ((INHERITED_NETWORK as readonly string[]).includes(upper)) return true;
  if (windows) return (INHERITED_WINDOWS as readonly string[]).includes(upper);
  return (INHERITED_POSIX as readonly string[]).includes(name) || /^LC_[A-Z]+$/.test(name);
};

/** Exported shell functions can hold code; they are never passed on. */
const isShellFunction = (value: string): boolean => value.startsWith('()');

/** The part of the host's environment that a child gets. */
export const inheritedEnvironment = (host: Readonly<Record<string, string | undefined>>, platform: NodeJS.Platform = process.platform): Record<string, string> => {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(host)) {
    if (value === undefined || !isInherited(name, platform === 'win32') || isShellFunction(value)) continue;
    kept[name] = value;
  }
  return kept;
};

const DANGEROUS = [
  /^NODE_OPTIONS$/, /^NODE_PATH$/, /^NODE_REPL_EXTERNAL_MODULE$/, /^ELECTRON_RUN_AS_NODE$/, /^ELECTRON_(NO_ASAR|ENABLE_LOGGING|OVERRIDE_DIST_PATH)$/,
  /^LD_(PRELOAD|AUDIT|LIBRARY_PATH|CONFIG|ORIGIN_PATH|PROFILE|DEBUG)/, /^DYLD_/, /^GCONV_PATH$/, /^PATH$/, /^PATHEXT$/, /^COMSPEC$/,
  /^PYTHON(STARTUP|PATH|HOME|INSPECT|BREAKPOINT|USERBASE|EXECUTABLE)$/, /^PERL5(LIB|OPT|DB)$/, /^PERLLIB$/, /^RUBY(OPT|LIB)$/, /^JAVA_TOOL_OPTIONS$/, /^_?JAVA_OPTIONS$/, /^JDK_JAVA_OPTIONS$/,
  /^(BASH_ENV|ENV|SHELLOPTS|BASHOPTS|PS4|PROMPT_COMMAND|IFS)$/, /^BASH_FUNC_/, /^ZDOTDIR$/, /^GIT_(SSH|SSH_COMMAND|EXEC_PATH|EXTERNAL_DIFF|PROXY_COMMAND|ASKPASS|CONFIG.*)$/,
  /^DOTNET_STARTUP_HOOKS$/, /^(CORECLR|COR)_(ENABLE_PROFILING|PROFILER.*)$/, /^NPM_CONFIG_(SCRIPT_SHELL|NODE_OPTIONS|USERCONFIG|GLOBALCONFIG|PREFIX|REGISTRY)$/, /^(DEBUGINFOD_URLS|MALLOC_CHECK_)$/,
];

/** True for a name that changes how any program finds or loads code (M01). Compared without case: Windows knows none. */
export const isDangerousName = (name: string): boolean => DANGEROUS.some((pattern) => pattern.test(name.toUpperCase()));

/** A name no system call would take as it stands. */
const isMalformedName = (name: string): boolean => name === '' || /[=\0]/.test(name);

/**
 * Judges environment names. From a stranger (market entry, link, import) a dangerous one is refused with `dangerous_environment`; typed by the user it is a warning,
 * and the names are returned. A malformed name, or a name kept for the host (GANTRY_), is refused always.
 */
export const checkEnvironmentNames = (names: readonly string[], typedByUser: boolean): Result<readonly string[], Fault> => {
  for (const name of names) {
    if (isMalformedName(name)) return err(fault('invalid_request', `"${name}" cannot be the name of an environment variable.`, { field: `env.${name}`, remedy: 'Take out "=" and control characters.' }));
    if (/^GANTRY_SERVER_TOKEN$/i.test(name)) return err(fault('dangerous_environment', `${name} is used by Gantry itself.`, { field: `env.${name}`, remedy: 'Choose another name.' }));
  }
  const dangerous = names.filter(isDangerousName);
  if (dangerous.length > 0 && !typedByUser) {
    return err(
      fault('dangerous_environment', `${dangerous.join(', ')} changes how programs load code and did not come from you.`, {
        field: `env.${dangerous[0]!}`,
        remedy: 'Remove it. If you need it and trust it, add the program as your own command instead.',
        details: { names: dangerous },
      }),
    );
  }
  return ok(dangerous);
};
