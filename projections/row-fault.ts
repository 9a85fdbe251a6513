/** The primary key of a row, by the names of its columns. */
export type Key = Readonly<Record<string, string | number>>;

const ends = {
  missing: 'is missing: the ledger says it should be there.',
  orphan: 'should not be there: the ledger does not lead to it.',
  different: 'differs from what the ledger leads to.',
} as const;

/** A fault of a row of a read model, as a sentence that names the row. */
export function rowFault(table: string, key: Key, how: keyof typeof ends): string {
  const name = Object.entries(key).map(([column, value]) => `${column} ${value}`);
  return `The row with ${name.join(', ')} of the table ${table} ${ends[how]}`;
}
