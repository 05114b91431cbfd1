import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/client';

const isVersion = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);

/** Versions that a refusal lists: `data.supported`, also `supportedVersions`. */
export const versionsNamedBy = (error: { readonly data?: unknown }): string[] => {
  const data = (typeof error.data === 'object' && error.data !== null ? error.data : {}) as Record<string, unknown>;
  const listed = data['supported'] ?? data['supportedVersions'] ?? data['supportedProtocolVersions'];
  return (Array.isArray(listed) ? listed : [listed]).filter(isVersion);
};

/** Versions a refusal names: in its list, else as dates in its words. */
const namedVersions = (error: { readonly message?: unknown; readonly data?: unknown }): string[] => {
  const listed = versionsNamedBy(error);
  if (listed.length > 0) return listed;
  return typeof error.message === 'string' ? [...error.message.matchAll(/\b\d{4}-\d{2}-\d{2}\b/g)].map((m) => m[0]) : [];
};

/** The newest version both sides know that was not the one refused; null when the refusal names none (C021). */
export const otherVersion = (error: { readonly message?: unknown; readonly data?: unknown }, refused: string): string | null =>
  SUPPORTED_PROTOCOL_VERSIONS.find((version) => version !== refused && namedVersions(error).includes(version)) ?? null;

const record = (value: unknown): Record<string, unknown> | null => (typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null);

const isText = (value: unknown): boolean => value === undefined || typeof value === 'string';
const isIcon = (value: unknown): boolean => {
  const icon = record(value);
  return icon !== null && typeof icon['src'] === 'string' && isText(icon['mimeType']) && (icon['theme'] === undefined || icon['theme'] === 'light' || icon['theme'] === 'dark') && (icon['sizes'] === undefined || (Array.isArray(icon['sizes']) && icon['sizes'].every((size) => typeof size === 'string')));
};

/** Ornaments of the wrong shape are left out of what a server says of itself: the SDK would refuse the whole introduction for one of them. */
const withoutOddOrnaments = ({ icons, ...info }: Record<string, unknown>): Record<string, unknown> => ({
  ...Object.fromEntries(Object.entries(info).filter(([name, value]) => !['title', 'description', 'websiteUrl'].includes(name) || isText(value))),
  ...(Array.isArray(icons) ? { icons: icons.filter(isIcon) } : {}),
});

/** What an older or careless server leaves out of its introduction is filled in, so that it can be used (C019); what it says in the right shape is not changed. */
export const tidyInitializeResult = (result: unknown): unknown => {
  const r = record(result);
  if (r === null) return result;
  const info = withoutOddOrnaments(record(r['serverInfo']) ?? {});
  const capabilities = Object.fromEntries(
    Object.entries(record(r['capabilities']) ?? {}).flatMap(([name, value]): [string, unknown][] => {
      const declared = record(value);
      if (declared !== null) return [[name, Object.fromEntries(Object.entries(declared).filter(([, v]) => v !== null))]];
      return value === true || Array.isArray(value) ? [[name, {}]] : [];
    }),
  );
  const { instructions, ...rest } = r;
  return {
    ...rest,
    capabilities,
    serverInfo: { ...info, name: typeof info['name'] === 'string' ? info['name'] : 'unnamed', version: typeof info['version'] === 'string' ? info['version'] : String(info['version'] ?? 'unknown') },
    ...(typeof instructions === 'string' ? { instructions } : {}),
  };
};
