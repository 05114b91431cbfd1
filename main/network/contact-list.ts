import type { Contact } from '../../shared/outbound.ts';
import type { Clock } from '../clock.ts';
import type { Store } from '../store/database.ts';
import { listContacts, placeOfContact, saveContacts } from '../store/contacts.ts';
import type { ContactNote } from './outbound.ts';

const MOST_KEPT = 500;
/** Of one server: an address that it names could be another one each time. */
const MOST_OF_SERVER = 100;
/** Contacts come in flocks: they are written together. */
const WRITE_AFTER_MS = 1_000;

/** Whom Gantry contacted, kept over restarts; of more than is kept, the ones contacted longest ago leave. */
export class ContactList {
  readonly #deps: { readonly store: Pick<Store, 'read' | 'write'>; readonly clock: Clock };
  /** the one contacted longest ago first */
  readonly #contacts: Map<string, Contact>;
  readonly #unwritten = new Set<string>();
  #timer: NodeJS.Timeout | null = null;

  constructor(deps: { readonly store: Pick<Store, 'read' | 'write'>; readonly clock: Clock }) {
    this.#deps = deps;
    this.#contacts = new Map(deps.store.read(listContacts).map((one) => [placeOfContact(one), one]));
  }

  /** A connection counts when it is asked for; where it was dialled is told after that, and is no other one. */
  note({ purpose, host, port, via, serverId, address }: ContactNote): void {
    const place = placeOfContact({ purpose, host, port, via, serverId });
    const before = this.#contacts.get(place);
    this.#contacts.delete(place);
    if (before === undefined) this.#makeRoom(serverId);
    this.#contacts.set(place, { purpose, host, port, via, serverId, address: address ?? before?.address ?? null, count: (before?.count ?? 0) + (address === null ? 1 : 0), lastAt: this.#deps.clock.now() });
    this.#changed(place);
  }

  all(): readonly Contact[] {
    return [...this.#contacts.values()];
  }

  /** A later server of the same id is another one. */
  forgetServer(serverId: string): void {
    for (const [place, one] of this.#contacts) if (one.serverId === serverId) this.#drop(place);
  }

  /** What waits to be written is. A disk that refuses keeps nobody from contacting: the next change tries again. */
  write(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#unwritten.size === 0) return;
    const places = [...this.#unwritten];
    try {
      this.#deps.store.write((db) => saveContacts(db, places.flatMap((place) => this.#contacts.get(place) ?? []), places.filter((place) => !this.#contacts.has(place))));
      this.#unwritten.clear();
    } catch {
      // it stays unwritten
    }
  }

  #makeRoom(serverId: string | null): void {
    const own = serverId === null ? [] : [...this.#contacts].filter(([, one]) => one.serverId === serverId);
    if (own.length >= MOST_OF_SERVER) this.#drop(own[0]![0]);
    else if (this.#contacts.size >= MOST_KEPT) this.#drop(this.#contacts.keys().next().value!);
  }

  #drop(place: string): void {
    this.#contacts.delete(place);
    this.#changed(place);
  }

  #changed(place: string): void {
    this.#unwritten.add(place);
    this.#timer ??= setTimeout(() => this.write(), WRITE_AFTER_MS).unref();
  }
}
