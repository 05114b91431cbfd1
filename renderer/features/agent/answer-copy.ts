/** A result that an answer cites, as its copy tells it. */
export interface CopiedSource {
  readonly label: string;
  /** in the window's language: whether it may be cited, or that there is none */
  readonly standing: string;
  /** null: no result has this label, or its record is gone */
  readonly call: { readonly name: string; readonly serverId: string; readonly invocationId: string; readonly runId: string } | null;
}

/** An answer with what it cites, as text for elsewhere: the words as they were written, then each label with its call and whether it holds. */
export const answerCopy = (text: string, title: string, sources: readonly CopiedSource[]): string => {
  if (sources.length === 0) return text;
  const lines = sources.map(({ label, standing, call }) => `[${label}] ${call === null ? '' : `${call.serverId} · ${call.name} `}(${standing})${call === null ? '' : ` ${call.runId} ${call.invocationId}`}`);
  return `${text.trimEnd()}\n\n${title}\n${lines.join('\n')}\n`;
};
