/**
 * A range of approximate scores, as an array of numbers. Objects or callbacks for 100,000 documents took 44 ms, which is longer
 * than SQL takes; plain loops over numbers take 10 ms.
 */
export interface Scores {
  readonly namespaceId: string;
  /** `scores[i]` is the score of the document with the number `first + i`; 0 if it has none. Higher is better. */
  readonly first: number;
  readonly scores: Float64Array;
  /** The number of scores above 0. */
  readonly count: number;
}

/** A document and its approximate score; higher is better. */
interface Scored {
  readonly namespaceId: string;
  readonly seq: number;
  readonly score: number;
}

/** The `size` best allowed documents, in order. Equal scores are ordered by namespace and `seq`, so that answers are repeatable. */
export function best(
  parts: readonly Scores[],
  size: number,
  allowed: (namespaceId: string, seq: number) => boolean = () => true,
): Scored[] {
  const heap = new LeastFirst(size);
  const found: Scored[] = [];
  for (const { namespaceId, first, scores } of parts) {
    for (let i = 0; i < scores.length; i++) {
      const score = scores[i] ?? 0;
      if (score === 0 || score < heap.least) continue;
      const seq = first + i;
      if (!allowed(namespaceId, seq)) continue;
      heap.push(score);
      found.push({ namespaceId, seq, score });
    }
  }
  return found
    .filter(({ score }) => score >= heap.least)
    .sort((a, b) => b.score - a.score || compareText(a.namespaceId, b.namespaceId) || a.seq - b.seq)
    .slice(0, size);
}

const compareText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** The `size` largest numbers pushed so far; `least` is the smallest of them, −∞ while there are fewer. */
class LeastFirst {
  readonly #heap: Float64Array;

  constructor(size: number) {
    this.#heap = new Float64Array(size).fill(Number.NEGATIVE_INFINITY);
  }

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
