import type { Approval } from '../../../shared/approval.ts';
import { parseCapabilityId } from '../../../shared/capability-id.ts';
import { BUILT_IN_AGENT, USER } from '../../../shared/principal.ts';
import type { Question } from '../../../shared/question.ts';
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

/** What a notification says of a question: the server by the name that its person gave it, and what kind of thing it asks for. Never the server's own sentences, never an address. */
const questionNotice = ({ id, kind, serverName }: Pick<Question, 'id' | 'kind' | 'serverName'>, words: DesktopWords): NoticeContent => ({
  title: words.notice.question,
  body: words.notice.questionBody[kind].replace('{name}', () => plainName(serverName)),
  place: { kind: 'question', questionId: id },
});

interface Waiting {
  readonly of: 'approval' | 'question';
  readonly notice: (words: DesktopWords) => NoticeContent;
}

export interface WaitingNoticesDeps {
  readonly words: () => DesktopWords;
  /** the person asked for notifications, and the system has them */
  readonly wanted: () => boolean;
  /** somebody looks at the window: it is shown and has the focus */
  readonly windowSeen: () => boolean;
  readonly show: (content: NoticeContent) => ShownNotice;
}

/** Tells a person who looks elsewhere what waits for them, approvals and questions of servers: once for each, together where there are many, taken back when it is over. */
export class WaitingNotices {
  readonly #deps: WaitingNoticesDeps;
  readonly #waiting = new Map<string, Waiting>();
  readonly #told = new Set<string>();
  readonly #shown = new Map<string, ShownNotice>();
  #together: ShownNotice | null = null;

  constructor(deps: WaitingNoticesDeps) {
    this.#deps = deps;
  }

  changed(approval: Approval): void {
    this.#set(`approval ${approval.id}`, approval.state === 'pending' ? { of: 'approval', notice: (words) => noticeOf(approval, words) } : null);
  }

  /** While the chosen model is at work nothing is asked of the person; its reply is told anew. */
  asked(question: Question): void {
    const works = question.kind === 'sampling' && question.state === 'waiting' && question.sampling.asked !== null;
    const waits = (question.state === 'waiting' && !works) || question.state === 'review';
    this.#set(`question ${question.id}`, waits ? { of: 'question', notice: (words) => questionNotice(question, words) } : null);
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

  #set(id: string, waiting: Waiting | null): void {
    if (waiting === null) this.#ended(id);
    else this.#waiting.set(id, waiting);
    this.#tell();
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
    const fresh = [...this.#waiting].filter(([id]) => !this.#told.has(id));
    if (fresh.length === 0) return;
    if (this.#deps.windowSeen()) return this.seen();
    if (!this.#deps.wanted()) return;
    for (const [id] of fresh) this.#told.add(id);
    if (this.#shown.size + fresh.length <= SINGLE_NOTICES && !this.#together) {
      for (const [id, { notice }] of fresh) this.#shown.set(id, this.#deps.show(notice(this.#deps.words())));
      return;
    }
    this.#takeBack();
    this.#together = this.#deps.show(this.#manyNotice(this.#deps.words()));
  }

  #manyNotice(words: DesktopWords): NoticeContent {
    const kinds = new Set([...this.#waiting.values()].map((one) => one.of));
    if (kinds.size > 1) return { title: counted(words.things, this.#waiting.size), body: words.notice.manyBody, place: { kind: 'approvals' } };
    return kinds.has('question')
      ? { title: counted(words.questions, this.#waiting.size), body: words.notice.manyQuestionsBody, place: { kind: 'questions' } }
      : { title: counted(words.approvals, this.#waiting.size), body: words.notice.manyBody, place: { kind: 'approvals' } };
  }
}
