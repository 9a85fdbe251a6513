/** The primary key of a row, by the names of its columns. */
type Key = Readonly<Record<string, string | number>>;

const ends = {
  missing: 'is missing: it follows from the ledger.',
  orphan: 'should not be there: it does not follow from the ledger.',
  different: 'differs from what follows from the ledger.',
} as const;

/** A sentence that names a row of a read model and says what is wrong with it. */
export function rowFault(table: string, key: Key, how: keyof typeof ends): string {
  const name = Object.entries(key).map(([column, value]) => `${column} ${value}`);
  return `The row with ${name.join(', ')} of the table ${table} ${ends[how]}`;
}
