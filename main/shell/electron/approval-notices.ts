import type { Approval } from '../../../shared/approval.ts';
import { parseCapabilityId } from '../../../shared/capability-id.ts';
import { BUILT_IN_AGENT, USER } from '../../../shared/principal.ts';
import type { Place } from '../../../shared/shell.ts';
import { counted, type DesktopWords } from './desktop-words.ts';

export interface NoticeContent {
  readonly title: string;
  readonly body: string;
  /** where a click leads; it decides nothing */
  readonly place: Place;
}

/** A notification that is on the screen. */
export interface ShownNotice {
  close(): void;
}

/** More than these at once are told together. */
const SINGLE_NOTICES = 3;
const LONGEST_NAME = 60;

/**
 * A name from outside as plain, short text: notification servers on Linux read markup, and a lock screen may show it.
 * Controls, characters that hide or turn text, and the letters of markup are left out.
 */
export const plainName = (name: string): string => {
  const plain = name.replace(/[<>&]|\p{C}/gu, '').trim();
  return plain.length <= LONGEST_NAME ? plain : `${plain.slice(0, LONGEST_NAME - 1).toWellFormed()}…`;
};

/** What a notification says of one approval: who asks and the name of the tool. Never its input, never the server's own sentences. */
export const noticeOf = (approval: Pick<Approval, 'id' | 'principal' | 'via' | 'capabilityId'>, words: DesktopWords): NoticeContent => {
  const who = approval.principal === USER ? (approval.via === 'command' || approval.via === 'script' ? words.notice.script : words.notice.user) : approval.principal === BUILT_IN_AGENT ? words.notice.agent : words.notice.other;
  const name = plainName(parseCapabilityId(approval.capabilityId)?.name ?? approval.capabilityId);
  return { title: words.notice.one, body: words.notice.oneBody.replace('{who}', who).replace('{name}', () => name), place: { kind: 'approval', approvalId: approval.id } };
};

export interface ApprovalNoticesDeps {
  readonly words: () => DesktopWords;
  /** the person asked for notifications, and the system has them */
  readonly wanted: () => boolean;
  /** somebody looks at the window: it is shown and has the focus */
  readonly windowSeen: () => boolean;
  readonly show: (content: NoticeContent) => ShownNotice;
}

/** Tells a person who looks elsewhere that an approval waits: once for each, together where there are many, taken back when it is decided. */
export class ApprovalNotices {
  readonly #deps: ApprovalNoticesDeps;
  readonly #waiting = new Map<string, Approval>();
  readonly #told = new Set<string>();
  readonly #shown = new Map<string, ShownNotice>();
  #together: ShownNotice | null = null;

  constructor(deps: ApprovalNoticesDeps) {
    this.#deps = deps;
  }

  changed(approval: Approval): void {
    if (approval.state === 'pending') this.#waiting.set(approval.id, approval);
    else this.#ended(approval.id);
    this.#tell();
  }

  /** The person looks at the window: it tells them itself. */
  seen(): void {
    for (const id of this.#waiting.keys()) this.#told.add(id);
    this.#takeBack();
  }

  close(): void {
    this.#takeBack();
    this.#waiting.clear();
  }

  #ended(id: string): void {
    this.#waiting.delete(id);
    this.#told.delete(id);
    this.#shown.get(id)?.close();
    this.#shown.delete(id);
    if (this.#waiting.size === 0) this.#takeBack();
  }

  #takeBack(): void {
    for (const notice of this.#shown.values()) notice.close();
    this.#shown.clear();
    this.#together?.close();
    this.#together = null;
  }

  #tell(): void {
    const fresh = [...this.#waiting.values()].filter((one) => !this.#told.has(one.id));
    if (fresh.length === 0) return;
    if (this.#deps.windowSeen()) return this.seen();
    if (!this.#deps.wanted()) return;
    for (const one of fresh) this.#told.add(one.id);
    if (this.#shown.size + fresh.length <= SINGLE_NOTICES && !this.#together) {
      for (const one of fresh) this.#shown.set(one.id, this.#deps.show(noticeOf(one, this.#deps.words())));
      return;
    }
    this.#takeBack();
    const words = this.#deps.words();
    this.#together = this.#deps.show({ title: counted(words.approvals, this.#waiting.size), body: words.notice.manyBody, place: { kind: 'approvals' } });
  }
}
