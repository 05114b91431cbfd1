import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

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
/** A single character means many things. */
const SINGLE = 0.5;

/**
 * Chinese to English, word by word, from the dictionary in `assets/selection/zh-en.txt.gz`: a line a word, sorted by UTF-16 units, the word, a tab and
 * its English words with spaces, the first sense first. The text is searched as it is: a map of it would cost the host's thread 60 ms.
 */
export class Bilingual {
  readonly #lines: string;

  /** `lines`: the dictionary; begins and ends with a line break. */
  constructor(lines: string) {
    this.#lines = lines;
  }

  /** The English words of an entry; null where there is none. */
  #entry(word: string): readonly string[] | null {
    let [low, high] = [0, this.#lines.length - 1];
    while (low < high) {
      // the line that holds the middle
      const from = this.#lines.lastIndexOf('\n', (low + high) >>> 1) + 1;
      const to = this.#lines.indexOf('\n', from);
      if (to <= 0) return null;
      const tab = this.#lines.indexOf('\t', from);
      const here = this.#lines.slice(from, tab);
      if (here === word) return this.#lines.slice(tab + 1, to).split(' ');
      if (here < word) low = to;
      else high = from - 1;
    }
    return null;
  }

  /** The words of a run of Chinese, each with its meanings (none where the dictionary has none); words without a subject are left out. */
  wordsOf(run: string): ChineseWord[] {
    const out: ChineseWord[] = [];
    for (let at = 0; at < run.length; ) {
      // the longest entry from here on: ICU's segmenter cuts newer words ("audio", "video") into their characters
      let end = Math.min(run.length, at + LONGEST_ENTRY);
      let meanings: readonly string[] | null = null;
      for (; end > at + 1; end -= 1) {
        const word = run.slice(at, end);
        if (STOP_ZH.has(word) || (meanings = this.#entry(word))) break;
      }
      const word = run.slice(at, end);
      at = end;
      if (STOP_ZH.has(word)) continue;
      meanings ??= this.#entry(word);
      out.push({ word, meanings: (meanings ?? []).map((english, place) => ({ word: english, weight: (word.length === 1 ? SINGLE : 1) / (1 + 0.25 * place) })) });
    }
    return out;
  }
}

export const readBilingual = async (path: string): Promise<Bilingual> => new Bilingual((await promisify(gunzip)(await readFile(path))).toString('utf8'));
