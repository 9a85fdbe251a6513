/** The position of a document: its namespace and its number in the order of writing. */
export interface Place {
  readonly namespaceId: string;
  readonly seq: number;
}

/** A place with the score by which candidates are chosen. */
export interface ScoredPlace extends Place {
  readonly score: number;
}

/** Best first. Places with equal scores have an order too, so that every index chooses the same ones. */
export const byScoreAndPlace = (a: ScoredPlace, b: ScoredPlace): number =>
  b.score - a.score || a.seq - b.seq || compareText(a.namespaceId, b.namespaceId);

const compareText = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
