import { fault, type Fault } from '../../../shared/fault.ts';
import type { ServerSpec } from '../../../shared/server.ts';
import type { Catalog } from '../../market/catalog.ts';
import { preflightOf, type FindProgram } from '../../market/preflight.ts';

export interface MarketGateDeps {
  readonly catalog: Pick<Catalog, 'get' | 'entryFor'>;
  readonly findProgram: FindProgram;
}

/**
 * What stands against adding an app from the market, or null. Faults: `app_withdrawn` unless the person accepted it, `program_missing`.
 * A server written by hand is not held back: it gets the warning only.
 */
export const marketRefusal = (marketEntryId: string | undefined, acceptWithdrawn: boolean, deps: MarketGateDeps): Fault | null => {
  const entry = marketEntryId === undefined ? null : deps.catalog.get(marketEntryId);
  if (entry === null) return null;
  if (entry.withdrawn && !acceptWithdrawn) {
    return fault('app_withdrawn', `${entry.name} was withdrawn by its publisher: ${entry.withdrawn.reason.en}`, {
      field: '/acceptWithdrawn',
      remedy: entry.withdrawn.instead === undefined ? 'Choose another app, or add it all the same with acceptWithdrawn.' : `Use ${entry.withdrawn.instead} instead, or add it all the same with acceptWithdrawn.`,
      details: { since: entry.withdrawn.since, ...(entry.withdrawn.instead === undefined ? {} : { instead: entry.withdrawn.instead }) },
    });
  }
  const needed = preflightOf(entry, deps.findProgram);
  if (needed?.found === null) return fault('program_missing', `${entry.name} is started by ${needed.program}, which is not on this computer.`, { field: '/spec/command', remedy: needed.remedy, details: { program: needed.program } });
  return null;
};

/** The same two facts as warnings beside the launch, for whichever entry describes it. */
export const marketWarnings = (marketEntryId: string | undefined, spec: ServerSpec, deps: MarketGateDeps): { code: string; detail: string }[] => {
  const entry = (marketEntryId === undefined ? null : deps.catalog.get(marketEntryId)) ?? deps.catalog.entryFor(spec);
  if (entry === null) return [];
  const needed = preflightOf(entry, deps.findProgram);
  return [
    ...(entry.withdrawn ? [{ code: 'app_withdrawn', detail: entry.withdrawn.since }] : []),
    ...(needed?.found === null ? [{ code: 'program_missing', detail: needed.program }] : []),
  ];
};
