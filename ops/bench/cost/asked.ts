/** Transactions, statements and messages of the database, in all. */
export interface Asked {
  readonly transactions: number;
  readonly statements: number;
  /** To the thread of the embedded database. */
  readonly messages: number;
}

/** Reads it from the text of `/metrics`. */
export function askedIn(metrics: string): Asked {
  const total = (name: string) =>
    [...metrics.matchAll(new RegExp(`^counterfoil_database_${name}_total\\{[^}]*\\} (\\S+)$`, 'gm'))].reduce(
      (sum, [, value]) => sum + Number(value),
      0,
    );
  return { transactions: total('transactions'), statements: total('statements'), messages: total('messages') };
}

export const since = (before: Asked, after: Asked): Asked => ({
  transactions: after.transactions - before.transactions,
  statements: after.statements - before.statements,
  messages: after.messages - before.messages,
});
