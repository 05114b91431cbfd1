import { placesOf, specArgs } from '../../servers/argument-places.ts';
import type { ServerRow } from '../../store/servers.ts';

/** Places of a server that need a secret, as they are named where one is entered. */
export const secretPlaces = ({ id, spec, env, headers, args, placeholders }: ServerRow): readonly { readonly serverId: string; readonly place: string }[] => {
  const of = (kind: string, values: Readonly<Record<string, object>>): string[] => Object.entries(values).flatMap(([name, value]) => ('secretRef' in value ? [`${kind}.${name}`] : []));
  const asNew = args.map((arg) => (typeof arg === 'string' ? arg : { secret: '' }));
  return [...of('env', env), ...of('header', headers), ...of('placeholder', placeholders ?? {}), ...placesOf(asNew, specArgs(spec), new Set()).values()].map((place) => ({ serverId: id, place }));
};
