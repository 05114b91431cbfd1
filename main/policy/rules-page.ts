import { fault } from '../../shared/fault.ts';
import type { Fault } from '../../shared/fault.ts';
import { err, ok } from '../../shared/result.ts';
import type { Result } from '../../shared/result.ts';
import type { PolicyRule } from '../../shared/rule.ts';
import type { Store } from '../store/database.ts';
import { insertRule, revokeRule } from '../store/rules.ts';
import { storeFault } from '../store/store-fault.ts';
import { newRule } from './new-rule.ts';
import type { RuleInput } from './new-rule.ts';
import type { RuleBook } from './rule-book.ts';

export interface RulesPageDeps {
  readonly store: Store;
  readonly book: RuleBook;
  readonly now: () => number;
  /** fingerprint of the present definition of a capability */
  readonly definitionOf: (capabilityId: string) => Result<string, Fault>;
  /** after every change: approvals that hang on the old rules are void (A04) */
  readonly onChanged: () => void;
}

/** Where standing decisions are made, seen and revoked; never from an approval's dialog (ui.md). */
export class RulesPage {
  readonly #deps: RulesPageDeps;

  constructor(deps: RulesPageDeps) {
    this.#deps = deps;
  }

  /** The user's own first, then the built-in ones. */
  list(): readonly PolicyRule[] {
    return this.#deps.book.list();
  }

  /** Errors: invalid_request (field), what the registry says of the capability, store_write_failed. */
  add(input: RuleInput, by: string): Result<PolicyRule, Fault> {
    const rule = newRule(input, { now: this.#deps.now(), by, definitionOf: this.#deps.definitionOf });
    if (!rule.ok) return rule;
    const written = this.#write(() => this.#deps.store.writeDurable((db) => insertRule(db, rule.value)));
    return written.ok ? rule : written;
  }

  /** Errors: not_found, conflict (built in), store_write_failed. */
  revoke(ruleId: string, _by: string): Result<null, Fault> {
    const known = this.list().find((rule) => rule.id === ruleId);
    if (!known) return err(fault('not_found', 'There is no such rule.'));
    if (known.builtIn) return err(fault('conflict', 'A built-in rule stays; a rule of your own may be stricter.', { details: { state: 'built_in' } }));
    return this.#write(() => this.#deps.store.writeDurable((db) => revokeRule(db, ruleId, this.#deps.now())));
  }

  #write(change: () => unknown): Result<null, Fault> {
    try {
      change();
    } catch (error) {
      const cause = storeFault(error);
      if (!cause) throw error;
      return err(cause);
    }
    this.#deps.book.reload();
    this.#deps.onChanged();
    return ok(null);
  }
}
