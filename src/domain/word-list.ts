import { lettersOf, similarTo } from './similar-words.js';

/** Gives a word and how similar it is, from 0 to 1. */
type OnSimilar = (word: string, share: number) => void;

/**
 * Words with which others are compared. They and their letters are side by side: most of ten thousand words are passed over by their
 * letters alone, and to read an object for each took three times as long.
 */
export class WordList {
  readonly #known = new Set<string>();
  readonly #words: string[] = [];
  readonly #bare: string[] = [];
  #letters = new Int32Array(1024);

  get size(): number {
    return this.#words.length;
  }

  /** @param bare the word without accents; the same word always has the same one */
  add(word: string, bare: string): void {
    if (this.#known.has(word)) return;
    this.#known.add(word);
    if (this.size === this.#letters.length) {
      const larger = new Int32Array(2 * this.size);
      larger.set(this.#letters);
      this.#letters = larger;
    }
    this.#letters[this.size] = lettersOf(bare);
    this.#words.push(word);
    this.#bare.push(bare);
  }

  /** Finds all words that are similar to one without accents. */
  eachSimilar(bare: string, onSimilar: OnSimilar): void {
    const { mayBeSimilar, shareOf } = similarTo(bare);
    for (let i = 0; i < this.size; i += 1) {
      if (!mayBeSimilar(this.#letters[i] ?? 0)) continue;
      const share = shareOf(this.#bare[i] ?? '');
      if (share > 0) onSimilar(this.#words[i] ?? '', share);
    }
  }
}
