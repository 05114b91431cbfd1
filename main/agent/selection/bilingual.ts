import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

export interface Meaning {
  readonly word: string;
  /** 1 for the first sense, less for the later ones */
  readonly weight: number;
}
export interface ChineseWord {
  readonly word: string;
  readonly meanings: readonly Meaning[];
}

/** Chinese words without a subject of their own. */
const STOP_ZH = new Set('的 了 在 是 我 你 他 她 它 们 我们 你们 他们 请 帮 帮我 把 和 与 或 及 并 对 给 给我 为 为我 从 到 向 让 使 用 使用 想 要 需要 这 那 这个 那个 这些 那些 一个 一下 一些 有 没有 都 也 就 还 再 吗 呢 吧 啊 什么 怎么 如何 哪些 哪里 哪个 多少 几 可以 能 能够 会 应该 然后 以及 并且 如果 因为 所以 但是 而 等 其 其中 上 下 里 中 内 后 前 时 个 份 张 条 次 种 被 将 所 以 于 之 地 得 着 过 来 去 不 很 最 更 我的 你的 现在 关于'.split(' '));
const LONGEST_ENTRY = 8;

/** Chinese to English, word by word, from the dictionary in `assets/selection/zh-en.json.gz`: `{word: [english, ...]}` with the senses in order. */
export class Bilingual {
  readonly #entries: ReadonlyMap<string, readonly string[]>;
  readonly #segmenter = new Intl.Segmenter('zh', { granularity: 'word' });

  constructor(entries: ReadonlyMap<string, readonly string[]>) {
    this.#entries = entries;
  }

  /** The words of a run of Chinese, each with its meanings (none where the dictionary has none); words without a subject are left out. */
  wordsOf(run: string): ChineseWord[] {
    const out: ChineseWord[] = [];
    for (const { segment } of this.#segmenter.segment(run)) {
      for (const word of this.#known(segment)) {
        if (STOP_ZH.has(word)) continue;
        out.push({ word, meanings: (this.#entries.get(word) ?? []).map((english, at) => ({ word: english, weight: 1 / (1 + 0.25 * at) })) });
      }
    }
    return out;
  }

  /** The segment itself, or the longest entries it is made of. */
  #known(segment: string): string[] {
    if (this.#entries.has(segment) || STOP_ZH.has(segment) || segment.length === 1) return [segment];
    const out: string[] = [];
    for (let at = 0; at < segment.length; ) {
      let end = Math.min(segment.length, at + LONGEST_ENTRY);
      while (end > at + 1 && !this.#entries.has(segment.slice(at, end))) end -= 1;
      out.push(segment.slice(at, end));
      at = end;
    }
    return out;
  }
}

export const readBilingual = (path: string): Bilingual => new Bilingual(new Map(Object.entries(JSON.parse(gunzipSync(readFileSync(path)).toString('utf8')) as Record<string, readonly string[]>)));
