/** An object or array that is open: its names so far and the present one, or the place in a list. */
interface Open {
  readonly names: Set<string> | null;
  step: string | number;
}

const pointerOf = (open: readonly Open[]): string => open.map(({ step }) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/**
 * The JSON Pointer of the first name that one object has twice, or null. For text that is JSON: readers disagree about which of two counts, and the usual ones take
 * the last without a word.
 */
export const duplicateName = (text: string): string | null => {
  const open: Open[] = [];
  let nameNext = false;
  for (let at = 0; at < text.length; at += 1) {
    const top = open.at(-1);
    switch (text[at]) {
      case '{':
        open.push({ names: new Set(), step: '' });
        nameNext = true;
        break;
      case '[':
        open.push({ names: null, step: 0 });
        nameNext = false;
        break;
      case '}':
      case ']':
        open.pop();
        nameNext = false;
        break;
      case ',':
        if (top?.names === null) top.step = Number(top.step) + 1;
        nameNext = top?.names != null;
        break;
      case '"': {
        const from = at;
        for (at += 1; text[at] !== '"'; at += 1) if (text[at] === '\\') at += 1;
        if (!nameNext || !top?.names) break;
        nameNext = false;
        top.step = JSON.parse(text.slice(from, at + 1)) as string;
        if (top.names.has(top.step)) return pointerOf(open);
        top.names.add(top.step);
        break;
      }
      default:
    }
  }
  return null;
};
