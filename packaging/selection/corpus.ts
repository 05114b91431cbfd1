/**
 * Writes the text that the word vectors are made from: a line a text, lower case, words only, each text once. Usage:
 * node packaging/selection/corpus.ts <out.txt> <texts.txt...>   (inputs: a text a line; README.md says which)
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';

const SHORTEST = 4;
const [to, ...inputs] = process.argv.slice(2);
if (!to || inputs.length === 0) throw new Error('usage: corpus.ts <out.txt> <texts.txt...>');
const out = createWriteStream(to);
const seen = new Set<string>();
for (const input of inputs) {
  for await (const line of createInterface({ input: createReadStream(input) })) {
    const begin = line.slice(0, 80).toLowerCase();
    if (seen.has(begin)) continue;
    seen.add(begin);
    const words = line.replace(/https?:\/\/\S+|\S+@\S+/g, ' ').replace(/(?<=[a-z0-9])(?=[A-Z][a-z])/g, ' ').toLowerCase().replace(/'s\b/g, '').match(/[a-z][a-z0-9]*[+#]*|\d+d/g) ?? [];
    if (words.length >= SHORTEST) out.write(`${words.join(' ')}\n`);
  }
}
out.end();
