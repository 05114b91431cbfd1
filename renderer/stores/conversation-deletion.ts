import { create } from 'zustand';
import { act } from './act.ts';
import { forgetDrafts } from './drafts.ts';

/** So long a deletion can be taken back; the host is asked only then. */
const UNDO_MS = 12_000;

export interface GoingConversation {
  readonly id: string;
  readonly title: string;
}
interface Deletion {
  readonly going: GoingConversation | null;
  /** out of sight: those that go, and those that are gone and not yet out of the list */
  readonly hidden: ReadonlySet<string>;
}

/** Conversations that are being deleted: out of sight at once, gone after a moment in which it can be undone. Who closes the window first has deleted nothing. */
export const useDeletion = create<Deletion>(() => ({ going: null, hidden: new Set() }));

let timer: ReturnType<typeof setTimeout> | null = null;

const show = (id: string): void => useDeletion.setState(({ hidden }) => ({ hidden: new Set([...hidden].filter((one) => one !== id)) }));

const finish = (): void => {
  if (timer !== null) clearTimeout(timer);
  timer = null;
  const { going } = useDeletion.getState();
  useDeletion.setState({ going: null });
  if (going !== null) void act('conversations:remove', { conversationId: going.id }).then((done) => (done === null ? show(going.id) : forgetDrafts(going.id)));
};

export const deleteSoon = (conversation: GoingConversation): void => {
  finish();
  useDeletion.setState(({ hidden }) => ({ going: conversation, hidden: new Set([...hidden, conversation.id]) }));
  timer = setTimeout(finish, UNDO_MS);
};

export const undoDeletion = (): void => {
  if (timer !== null) clearTimeout(timer);
  timer = null;
  const { going } = useDeletion.getState();
  useDeletion.setState({ going: null });
  if (going !== null) show(going.id);
};
