/** The results of a submission so far. */
export interface Counts {
  readonly recorded: number;
  readonly duplicates: number;
  /** Code → number of lines. */
  readonly refused: Readonly<Record<string, number>>;
}

export function addCounts(a: Counts, b: Counts): Counts {
  const refused = { ...a.refused };
  for (const [code, count] of Object.entries(b.refused)) refused[code] = (refused[code] ?? 0) + count;
  return { recorded: a.recorded + b.recorded, duplicates: a.duplicates + b.duplicates, refused };
}

export function refusedIn({ refused }: Counts): number {
  return Object.values(refused).reduce((sum, count) => sum + count, 0);
}

export function summaryOf(counts: Counts): string {
  const codes = Object.entries(counts.refused).map(([code, count]) => `${code} ${count}`);
  const byCode = codes.length === 0 ? '' : ` (${codes.join(', ')})`;
  return `Recorded: ${counts.recorded}. Already there: ${counts.duplicates}. Refused: ${refusedIn(counts)}${byCode}.`;
}
