/*
 * Word vectors by skip-gram with negative sampling and subsampling of frequent words (Mikolov et al. 2013).
 * Usage: skip-gram <texts.txt> <vectors.txt> <dimensions> <window> <epochs> <least count>
 * In: a text a line, words apart by spaces. Out: a head line "words dimensions", then word, count and numbers a line.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS (1 << 22)
#define MOST_WORDS_OF_TEXT 400
#define NEGATIVES 8
#define NEGATIVE_TABLE (1 << 24)
#define SUBSAMPLE 1e-4
#define FIRST_RATE .025f
#define LAST_RATE 1e-4f
/* the sigmoid is read from a table of -8 to 8 */
#define SIGMOID_RANGE 8
#define SIGMOID_HALF 1000

typedef struct {
  char *text;
  long count;
} Word;

static Word *words;
static int word_count = 0, capacity = 1 << 16;
/* by hash of the word: its index, or -1 */
static int *slots;
static char line[1 << 20];

static uint32_t slot_of(const char *text) {
  uint32_t hash = 2166136261u;
  for (; *text; text++) hash = (hash ^ (unsigned char)*text) * 16777619u;
  return hash & (SLOTS - 1);
}

static uint32_t free_slot(const char *text) {
  uint32_t at = slot_of(text);
  while (slots[at] >= 0) at = (at + 1) & (SLOTS - 1);
  return at;
}

static int find(const char *text) {
  for (uint32_t at = slot_of(text); slots[at] >= 0; at = (at + 1) & (SLOTS - 1))
    if (!strcmp(words[slots[at]].text, text)) return slots[at];
  return -1;
}

static int find_or_add(const char *text) {
  int found = find(text);
  if (found >= 0) return found;
  if (word_count == capacity) {
    capacity *= 2;
    words = realloc(words, capacity * sizeof(Word));
  }
  words[word_count] = (Word){strdup(text), 0};
  slots[free_slot(text)] = word_count;
  return word_count++;
}

static int more_frequent_first(const void *a, const void *b) {
  long difference = ((const Word *)b)->count - ((const Word *)a)->count;
  return difference > 0 ? 1 : difference < 0 ? -1 : 0;
}

/* xorshift with a fixed beginning: the same texts give the same vectors */
static uint64_t state = 88172645463325252ull;
static inline uint64_t random_bits(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

/* Counts the words and keeps those that are met often enough, the most frequent first. Returns how many words there were in all. */
static long read_vocabulary(FILE *texts, int least_count) {
  long total = 0;
  memset(slots, 255, SLOTS * sizeof(int));
  while (fgets(line, sizeof line, texts))
    for (char *text = strtok(line, " \n"); text; text = strtok(0, " \n")) {
      int at = find_or_add(text);
      words[at].count++;
      total++;
    }
  qsort(words, word_count, sizeof(Word), more_frequent_first);
  int kept = 0;
  while (kept < word_count && words[kept].count >= least_count) kept++;
  word_count = kept;
  memset(slots, 255, SLOTS * sizeof(int));
  for (int i = 0; i < word_count; i++) slots[free_slot(words[i].text)] = i;
  return total;
}

/* Each word as often as its count to the power of 3/4 says. */
static int *negative_table(void) {
  int *table = malloc(NEGATIVE_TABLE * sizeof(int));
  double sum = 0;
  for (int i = 0; i < word_count; i++) sum += pow(words[i].count, .75);
  int word = 0;
  double upto = pow(words[0].count, .75) / sum;
  for (int i = 0; i < NEGATIVE_TABLE; i++) {
    table[i] = word;
    if ((double)i / NEGATIVE_TABLE > upto && word < word_count - 1) upto += pow(words[++word].count, .75) / sum;
  }
  return table;
}

static float sigmoid[2 * SIGMOID_HALF + 1];
static float sigmoid_of(float x) {
  int at = (int)(x / SIGMOID_RANGE * SIGMOID_HALF) + SIGMOID_HALF;
  return sigmoid[at < 0 ? 0 : at > 2 * SIGMOID_HALF ? 2 * SIGMOID_HALF : at];
}

int main(int argc, char **argv) {
  if (argc != 7) {
    fprintf(stderr, "usage: skip-gram <texts.txt> <vectors.txt> <dimensions> <window> <epochs> <least count>\n");
    return 2;
  }
  int dimensions = atoi(argv[3]), window = atoi(argv[4]), epochs = atoi(argv[5]), least_count = atoi(argv[6]);
  FILE *texts = fopen(argv[1], "r");
  if (!texts) {
    perror(argv[1]);
    return 1;
  }
  words = malloc(capacity * sizeof(Word));
  slots = malloc(SLOTS * sizeof(int));
  long total = read_vocabulary(texts, least_count);
  if (word_count == 0) {
    fprintf(stderr, "no word is met %d times\n", least_count);
    return 1;
  }
  fprintf(stderr, "%d words, %ld in all\n", word_count, total);

  int *negatives = negative_table();
  float *vectors = malloc((long)word_count * dimensions * sizeof(float));
  float *contexts = calloc((long)word_count * dimensions, sizeof(float));
  for (long i = 0; i < (long)word_count * dimensions; i++) vectors[i] = ((random_bits() & 0xffff) / 65536.f - .5f) / dimensions;
  for (int i = 0; i <= 2 * SIGMOID_HALF; i++) sigmoid[i] = 1 / (1 + exp(-((i - SIGMOID_HALF) / (double)SIGMOID_HALF * SIGMOID_RANGE)));

  long done = 0;
  int text[MOST_WORDS_OF_TEXT];
  float *change = malloc(dimensions * sizeof(float));
  for (int epoch = 0; epoch < epochs; epoch++) {
    rewind(texts);
    while (fgets(line, sizeof line, texts)) {
      int length = 0;
      for (char *word = strtok(line, " \n"); word && length < MOST_WORDS_OF_TEXT; word = strtok(0, " \n")) {
        done++;
        int at = find(word);
        if (at < 0) continue;
        double frequency = (double)words[at].count / total;
        double keep = sqrt(SUBSAMPLE / frequency) + SUBSAMPLE / frequency;
        if (keep < 1 && (random_bits() & 0xffffff) / 16777216. > keep) continue;
        text[length++] = at;
      }
      float rate = FIRST_RATE * (1 - (float)done / ((double)total * epochs + 1));
      if (rate < LAST_RATE) rate = LAST_RATE;
      for (int middle = 0; middle < length; middle++) {
        int reach = 1 + random_bits() % window;
        for (int beside = middle - reach; beside <= middle + reach; beside++) {
          if (beside < 0 || beside >= length || beside == middle) continue;
          float *vector = vectors + (long)text[beside] * dimensions;
          memset(change, 0, dimensions * sizeof(float));
          for (int sample = 0; sample <= NEGATIVES; sample++) {
            int target = sample == 0 ? text[middle] : negatives[random_bits() & (NEGATIVE_TABLE - 1)];
            if (sample > 0 && target == text[middle]) continue;
            float *context = contexts + (long)target * dimensions;
            float dot = 0;
            for (int k = 0; k < dimensions; k++) dot += vector[k] * context[k];
            float step = ((sample == 0 ? 1.f : 0.f) - sigmoid_of(dot)) * rate;
            for (int k = 0; k < dimensions; k++) {
              change[k] += step * context[k];
              context[k] += step * vector[k];
            }
          }
          for (int k = 0; k < dimensions; k++) vector[k] += change[k];
        }
      }
    }
    fprintf(stderr, "epoch %d of %d\n", epoch + 1, epochs);
  }

  FILE *out = fopen(argv[2], "wb");
  if (!out) {
    perror(argv[2]);
    return 1;
  }
  fprintf(out, "%d %d\n", word_count, dimensions);
  for (int i = 0; i < word_count; i++) {
    fprintf(out, "%s %ld", words[i].text, words[i].count);
    for (int k = 0; k < dimensions; k++) fprintf(out, " %.4f", vectors[(long)i * dimensions + k]);
    fputc('\n', out);
  }
  return fclose(out) == 0 ? 0 : 1;
}
