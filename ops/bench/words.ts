/** A stream of numbers in 0..1 that is the same for the same seed (xorshift32), so that every run measures the same texts. */
export function randomStream(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

const syllables =
  'ba be bi bo da de di do fa fe ga go ka ke ki ko la le li lo ma me mi mo na ne ni no ra re ri ro sa se ta te'.split(
    ' ',
  );

/** The word that has a rank. Common words are short, as in languages. */
function word(rank: number): string {
  let text = '';
  for (let rest = rank + 40; rest > 0; rest = Math.floor(rest / syllables.length)) {
    text += syllables[rest % syllables.length];
  }
  return text;
}

const vocabulary = 30_000;

/** A rank by Zipf's law: the word with rank r comes about 1/r as often as the first. */
function zipf(random: () => number): number {
  return Math.min(vocabulary - 1, Math.floor(vocabulary ** random()) - 1);
}

/** A sentence of `from` to `to` words. */
export function sentence(random: () => number, from: number, to: number): string {
  const length = from + Math.floor(random() * (to - from + 1));
  return Array.from({ length }, () => word(zipf(random))).join(' ');
}
