import { DEFAULT_PROFILE, type AgentProfile, type Scope } from '../../shared/agent-profile.ts';
import { fault, type Fault } from '../../shared/fault.ts';
import { err, ok, type Result } from '../../shared/result.ts';
import { getProfile, type ProfileRow } from '../store/agent-profiles.ts';
import type { Store } from '../store/database.ts';

const PRINCIPAL = /^agent:([a-z0-9-]{1,40})$/;

export const principalOf = (profileId: string): string => `agent:${profileId}`;

export const asProfile = (row: ProfileRow): AgentProfile => ({ ...row, principal: principalOf(row.id) });

/** The built-in agent before a person said anything of it. */
export const defaultProfile = (): AgentProfile => ({ id: DEFAULT_PROFILE, principal: principalOf(DEFAULT_PROFILE), name: '', modelId: null, instructions: '', scope: null, limits: { steps: null, tokens: null, money: null }, setAt: null });

/** Errors: not_found, row_unreadable. */
export const profileOf = (id: string, store: Store): Result<AgentProfile, Fault> => {
  const row = store.read((db) => getProfile(db, id));
  if (row === 'unreadable') return err(fault('row_unreadable', 'The stored profile cannot be read.', { details: { table: 'agent_profiles', row: id } }));
  if (row !== null) return ok(asProfile(row));
  return id === DEFAULT_PROFILE ? ok(defaultProfile()) : err(fault('not_found', 'There is no such profile.'));
};

const NOTHING: Scope = { servers: [], capabilities: [], topTier: 'read_only' };

/** The scope of a principal that is a profile; null: none. Of a profile that cannot be read nothing is in scope. */
export const scopeOfPrincipal = (principal: string, store: Store): Scope | null => {
  const id = PRINCIPAL.exec(principal)?.[1];
  if (id === undefined) return null;
  const row = store.read((db) => getProfile(db, id));
  return row === 'unreadable' ? NOTHING : (row?.scope ?? null);
};
