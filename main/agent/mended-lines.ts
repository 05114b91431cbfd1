/** Passes the lines of a streamed reply on, each as `mend` gives it. What has come of a line that has no end yet is joined once, whatever its length and number of chunks. */
export const mendedLines = (mend: (line: string) => string): TransformStream<Uint8Array, Uint8Array> => {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let open: string[] = [];
  return new TransformStream({
    transform(chunk, controller) {
      const text = decoder.decode(chunk, { stream: true });
      const end = text.lastIndexOf('\n');
      if (end < 0) {
        open.push(text);
        return;
      }
      const lines = (open.join('') + text.slice(0, end)).split('\n');
      open = [text.slice(end + 1)];
      controller.enqueue(encoder.encode(`${lines.map(mend).join('\n')}\n`));
    },
    flush(controller) {
      const rest = open.join('') + decoder.decode();
      if (rest !== '') controller.enqueue(encoder.encode(mend(rest)));
    },
  });
};

export type JsonObject = Readonly<Record<string, unknown>>;

/** The value of a text; null where it is no JSON. */
export const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
};
