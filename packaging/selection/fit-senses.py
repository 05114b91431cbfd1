"""
Writes assets/selection/senses.bin: for each stem a row of 64 numbers, so that the sum over what a person asks comes near to the sum over what the right tools say.

It begins with the vectors that senses.py makes and moves them by what is written in `kinds/` (what people ask with against what tools of the kind say) and
in `own-requests/` (requests against the tools they are for, and others of their server): of 256 pairs at a time each is to be nearer to its own than to all others.
A word that tells nothing comes out short. A phrase has a row of its own while this goes on, which keeps its own meaning out of its words, and is left out in the end. What ships is the mean of the runs: one alone is a point better here and worse there by chance. Usage: python3 fit-senses.py <lexicon.bin> <first-senses.bin> <senses.bin>   (numpy, scipy; node for stems.ts)
"""
import glob, json, os, re, struct, subprocess, sys
import numpy as np
from scipy.sparse import csr_matrix

HERE = os.path.dirname(os.path.abspath(__file__))
DIMENSIONS, RUNS, STEPS, PAIRS, OF_KINDS = 64, 3, 1000, 256, 128
RATE, PULL_BACK, TEMPERATURE = 0.08, 2e-4, 0.07
LEAST_OWN, DESCRIPTION = 3, 200
COMMON = 3e-3


def stems(lines):
    lines = [line.replace('\n', ' ').replace('\r', ' ') for line in lines]
    out = subprocess.run(['node', os.path.join(HERE, 'stems.ts')], input='\n'.join(lines), capture_output=True, text=True, check=True).stdout.split('\n')
    assert len(out) == len(lines)
    return [line.split() for line in out]


def first_vectors(lexicon, senses):
    head_bytes = int.from_bytes(lexicon[:4], 'little')
    head = json.loads(lexicon[4 : 4 + head_bytes])
    rows = np.frombuffer(senses[4:], np.int8).reshape(len(head['words']), DIMENSIONS).astype(np.float32)
    sums, counts = {}, {}
    for word, count, row, stem in zip(head['words'], head['counts'], rows, stems(head['words'])):
        if not row.any() or len(stem) != 1:
            continue
        sums[stem[0]] = sums.get(stem[0], 0) + row * (count * COMMON / (COMMON + count / head['tokens']))
        counts[stem[0]] = counts.get(stem[0], 0) + count
    vectors = {stem: total / counts[stem] for stem, total in sums.items()}
    usual = np.mean([np.linalg.norm(v) for v in vectors.values()])
    return {stem: v / usual for stem, v in vectors.items()}


def kinds():
    found = {}
    for path in sorted(glob.glob(os.path.join(HERE, 'kinds', '*.txt'))):
        for block in re.split(r'\n\s*\n', open(path).read()):
            name = re.search(r'^# (\S+)$', block, re.M)
            if not name:
                continue
            kind = found.setdefault(name[1], {'says': [name[1]], 'asked': []})
            for which, phrases in re.findall(r'^(says|asked): (.*)$', block, re.M):
                kind[which] += [one.strip() for one in re.split('[;；]', phrases) if one.strip()]
    flat = [(kind, which, phrase) for kind in found.values() for which in ('says', 'asked') for phrase in dict.fromkeys(kind[which])]
    for kind in found.values():
        kind['says'], kind['asked'] = [], []
    for (kind, which, _), words in zip(flat, stems([phrase for _, _, phrase in flat])):
        if words:
            kind[which].append(words + ([' '.join(words)] if len(words) > 1 else []))
    return list(found.values())


def own():
    tools, servers, requests = [], {}, []
    for path in sorted(glob.glob(os.path.join(HERE, 'own-requests', '*.jsonl'))):
        for line in open(path):
            one = json.loads(line)
            if one.get('server') is None or one['server'] in servers:
                continue
            numbers = {}
            for tool in one['tools']:
                numbers[tool['name']] = len(tools)
                tools.append(f"{one['server']} {tool['name']} {tool.get('description', '')[:DESCRIPTION]}")
            servers[one['server']] = list(numbers.values())
            for request in one.get('requests', []):
                right = [numbers[name] for name in request['tools'] if name in numbers]
                if right and request.get('lang') == 'en':
                    requests.append((request['text'], right[0], one['server']))
    words = stems([text for text, _, _ in requests])
    return [(text, tool, server) for text, (_, tool, server) in zip(words, requests)], stems(tools), servers


def fit(seed, first, of_kinds, requests, tools, servers):
    rng = np.random.default_rng(seed)
    often = {}
    for words in [text for text, _, _ in requests] + tools:
        for word in set(words):
            often[word] = often.get(word, 0) + 1
    vocabulary = {}
    for words in [words for kind in of_kinds for which in kind.values() for words in which] + [[word for word, n in often.items() if n >= LEAST_OWN], list(first)]:
        for word in words:
            vocabulary.setdefault(word, len(vocabulary))
    size = len(vocabulary)
    begin = np.zeros((size, DIMENSIONS), np.float32)
    for word, at in vocabulary.items():
        begin[at] = first[word] if word in first else rng.normal(0, 0.05, DIMENSIONS)
    rows, squares = begin.copy(), np.full(size, 1e-8, np.float32)
    numbered = lambda words: [vocabulary[word] for word in dict.fromkeys(words) if word in vocabulary]
    of_kinds = [{which: [[vocabulary[word] for word in phrase] for phrase in phrases] for which, phrases in kind.items()} for kind in of_kinds]
    requests = [(numbered(text), tool, server) for text, tool, server in requests]
    requests = [one for one in requests if one[0]]
    tools = [numbered(words) for words in tools]
    some = lambda phrases, count: [word for at in rng.choice(len(phrases), min(count, len(phrases)), replace=False) for word in phrases[at]]
    place = {server: at for at, server in enumerate(servers)}

    def summed(docs):
        lengths = [len(doc) for doc in docs]
        bag = csr_matrix((np.ones(sum(lengths), np.float32), (np.repeat(np.arange(PAIRS), lengths), np.concatenate(docs).astype(int))), shape=(PAIRS, size))
        total = np.asarray(bag @ rows)
        length = np.linalg.norm(total, axis=1, keepdims=True) + 1e-6
        return bag, total / length, length

    for step in range(STEPS):
        asked, said, group = [], [], []
        for number in rng.choice(len(of_kinds), OF_KINDS, replace=False):
            kind = of_kinds[number]
            asked.append(some(kind['asked'] if rng.random() > 0.25 else kind['says'], rng.integers(1, 4)))
            said.append(some(kind['says'] if rng.random() < 0.75 else kind['says'] + kind['asked'][:10], rng.integers(3, 9)))
            group.append(-1 - number)
        for at in rng.choice(len(requests), PAIRS - OF_KINDS, replace=False):
            text, tool, server = requests[at]
            asked.append(text)
            said.append(tools[tool] + [word for other in rng.choice(servers[server], 2) for word in tools[other]])
            group.append(place[server])
        group = np.array(group)
        other = (group[:, None] == group[None, :]) & ~np.eye(PAIRS, dtype=bool)
        (bag_a, a, long_a), (bag_s, s, long_s) = summed(asked), summed(said)
        like = np.where(other, -50, a @ s.T / TEMPERATURE)
        by_row, by_column = (np.exp(like - like.max(axis, keepdims=True)) for axis in (1, 0))
        slope = (by_row / by_row.sum(1, keepdims=True) + by_column / by_column.sum(0, keepdims=True)) / 2 - np.eye(PAIRS)
        slope /= PAIRS * TEMPERATURE
        to_a, to_s = slope @ s, slope.T @ a
        to_a = (to_a - (to_a * a).sum(1, keepdims=True) * a) / long_a
        to_s = (to_s - (to_s * s).sum(1, keepdims=True) * s) / long_s
        used = np.unique(np.concatenate([bag_a.indices, bag_s.indices]))
        move = np.asarray(bag_a[:, used].T @ to_a + bag_s[:, used].T @ to_s) + PULL_BACK * (rows[used] - begin[used])
        squares[used] += (move * move).mean(1)
        rows[used] -= (RATE * min(1, (step + 1) / 30) * (1 - step / STEPS) * move / np.sqrt(squares[used])[:, None]).astype(np.float32)

    return {word: rows[at] for word, at in vocabulary.items() if ' ' not in word}


def main():
    lexicon, senses, target = sys.argv[1:]
    given = first_vectors(open(lexicon, 'rb').read(), open(senses, 'rb').read()), kinds(), *own()
    runs = [fit(seed, *given) for seed in range(RUNS)]
    words = sorted(runs[0])
    rows = np.mean([[run[word] for word in words] for run in runs], axis=0)
    scales = (np.abs(rows).max(1) / 127 + 1e-9).astype('<f4')
    head = json.dumps({'dimensions': DIMENSIONS, 'stems': words}, ensure_ascii=False, separators=(',', ':')).encode()
    head += b' ' * (-len(head) % 4)
    with open(target, 'wb') as out:
        out.write(struct.pack('<I', len(head)) + head + scales.tobytes() + np.rint(rows / scales[:, None]).astype(np.int8).tobytes())


main()
