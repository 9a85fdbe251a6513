/** The largest numbers of those pushed so far, as many as its size. */
export class BestScores {
  readonly #heap: Float64Array;

  constructor(size: number) {
    this.#heap = new Float64Array(size).fill(Number.NEGATIVE_INFINITY);
  }

  /** The smallest of them; −∞ while there are fewer than its size. A number that is not above it changes nothing. */
  get least(): number {
    return this.#heap[0] ?? Number.POSITIVE_INFINITY;
  }

  push(value: number): void {
    const heap = this.#heap;
    let at = 0;
    for (;;) {
      const left = heap[2 * at + 1] ?? Number.POSITIVE_INFINITY;
      const right = heap[2 * at + 2] ?? Number.POSITIVE_INFINITY;
      if (value <= left && value <= right) break;
      heap[at] = Math.min(left, right);
      at = left <= right ? 2 * at + 1 : 2 * at + 2;
    }
    heap[at] = value;
  }
}
