/**
 * Writes assets/selection/lexicon.bin from word vectors (text: a head line "words dimensions", then word, count and numbers a line), as skip-gram.c
 * makes them. Usage: node packaging/selection/lexicon.ts <vectors.txt> <assets/selection/lexicon.bin>
 */
import { readFileSync, writeFileSync } from 'node:fs';

const LEAST_COUNT = 25;
const NEIGHBOURS = 16;
const LEAST_LIKENESS = 0.5;

const [from, to] = process.argv.slice(2);
if (!from || !to) throw new Error('usage: lexicon.ts <vectors.txt> <lexicon.bin>');
const lines = readFileSync(from, 'utf8').split('\n');
const dimensions = Number(lines[0]!.split(' ')[1]);
const words: string[] = [];
const counts: number[] = [];
const rows: Float64Array[] = [];
let tokens = 0;
for (const line of lines.slice(1)) {
  const [word, count, ...numbers] = line.split(' ');
  if (!word || numbers.length !== dimensions) continue;
  tokens += Number(count);
  if (Number(count) < LEAST_COUNT || words.length === 65_000) continue;
  words.push(word);
  counts.push(Number(count));
  rows.push(Float64Array.from(numbers, Number));
}
const mean = new Float64Array(dimensions);
for (const row of rows) row.forEach((x, k) => (mean[k]! += x / rows.length));
const flat = new Float32Array(rows.length * dimensions);
for (const [i, row] of rows.entries()) {
  const length = Math.hypot(...row.map((x, k) => x - mean[k]!)) || 1;
  row.forEach((x, k) => (flat[i * dimensions + k] = (x - mean[k]!) / length));
}
const vectors = Int8Array.from(flat, (x) => Math.max(-127, Math.min(127, Math.round(x * 127 * 2.5))));
const near = new Uint16Array(rows.length * NEIGHBOURS).fill(65_535);
const likeness = new Uint8Array(rows.length * NEIGHBOURS);
for (let i = 0; i < rows.length; i += 1) {
  const found: [number, number][] = [];
  let least = LEAST_LIKENESS;
  for (let j = 0; j < rows.length; j += 1) {
    if (i === j) continue;
    let sum = 0;
    for (let k = 0, a = i * dimensions, b = j * dimensions; k < dimensions; k += 1) sum += flat[a + k]! * flat[b + k]!;
    if (sum <= least) continue;
    let at = found.length;
    while (at > 0 && found[at - 1]![1] < sum) at -= 1;
    found.splice(at, 0, [j, sum]);
    if (found.length > NEIGHBOURS) found.pop();
    if (found.length === NEIGHBOURS) least = found.at(-1)![1];
  }
  found.forEach(([j, sum], at) => {
    near[i * NEIGHBOURS + at] = j;
    likeness[i * NEIGHBOURS + at] = Math.round(sum * 255);
  });
}
const head = Buffer.from(JSON.stringify({ dimensions, neighbours: NEIGHBOURS, tokens, words, counts }));
const length = Buffer.alloc(4);
length.writeUInt32LE(head.length);
writeFileSync(to, Buffer.concat([length, head, Buffer.from(vectors.buffer), Buffer.from(near.buffer), Buffer.from(likeness.buffer)]));
process.stdout.write(`${words.length} words, ${dimensions} dimensions\n`);
