import type { ReachedPlace } from '../../../shared/server.ts';

const KINDS: ReadonlySet<unknown> = new Set<ReachedPlace['what']>(['account_files', 'home', 'argument', 'environment', 'header', 'sent_to']);

const isPlace = (value: unknown): value is ReachedPlace =>
  typeof value === 'object' && value !== null && KINDS.has((value as { readonly what?: unknown }).what) && typeof (value as { readonly name?: unknown }).name === 'string';

/** What a quarantine fact kept of what the server could reach; null where it kept nothing of that form. */
export const reachedPlaces = (value: unknown): readonly ReachedPlace[] | null => (Array.isArray(value) && value.every(isPlace) ? value : null);

/** The name as a person counts: arguments from 1. */
export const placeName = ({ what, name }: ReachedPlace): string => (what === 'argument' ? String(Number(name) + 1) : name);

/** The places of each kind together, in the order in which the kinds first appear. */
export const byKind = (places: readonly ReachedPlace[]): readonly (readonly [ReachedPlace['what'], readonly ReachedPlace[]])[] =>
  [...new Set(places.map((place) => place.what))].map((what) => [what, places.filter((place) => place.what === what)] as const);
