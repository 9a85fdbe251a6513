import type { Row, Transaction } from '../../src/database/database.js';
import { vaultRows } from '../../src/ledger/rows.js';
import { memoryRows } from '../memory/rows.js';
import { documentsAt, type Place } from './place.js';

/** The bytes of texts that one statement compares, because the embedded database makes other requests wait meanwhile. */
const bytesOfStatement = 2 ** 20;

/**
 * A regular expression of PostgreSQL for texts that have all words of one of these phrases in a row, in any case; null if there is none.
 * It has no repetition within another one, so that the time is linear in the length of a text.
 */
export function wordsPattern(phrases: readonly (readonly string[])[]): string | null {
  if (phrases.length === 0) return null;
  const parts = phrases.map((words) => words.map(inAnyCase).join('[^[:alnum:]]+'));
  return `(^|[^[:alnum:]])(${parts.join('|')})($|[^[:alnum:]])`;
}

/** The cases are written out, because a database may know only those of ASCII. */
const inAnyCase = (word: string): string =>
  Array.from(word, (letter) => {
    const upper = letter.toUpperCase();
    if (!/^[\p{L}\p{N}\p{M}]$/u.test(letter)) return `\\${letter}`;
    return upper === letter || [...upper].length > 1 ? letter : `[${letter}${upper}]`;
  }).join('');

interface Compared extends Row {
  memoryId: string;
  seq: number;
  /** Null if it was not compared. */
  matches: boolean | null;
}

/**
 * Compares the texts of the first of these documents with a pattern: as many as fit into a MiB, and at least one.
 * @returns those that match, and how many documents need not be compared any more
 */
export async function compareTexts(
  tx: Transaction,
  pattern: string,
  places: readonly Place[],
): Promise<{ readonly found: readonly Compared[]; readonly compared: number }> {
  const rows = await tx.query<Compared>(
    `with given as materialized (
       select d.memory_id, d.seq, m.receipt_id, sum(m.size) over (order by d.seq desc) - m.size as before
         from ${documentsAt} join ${memoryRows} m on m.id = d.memory_id)
     select g.memory_id::text as "memoryId", g.seq,
            case when g.before < ${bytesOfStatement} then coalesce(v.content ~ $3, false) end as matches
       from given g left join ${vaultRows} v using (receipt_id) order by g.seq desc`,
    [places.map(({ namespaceId }) => namespaceId), places.map(({ seq }) => seq), pattern],
  );
  const next = rows.find(({ matches }) => matches === null);
  const compared = next ? places.findIndex(({ seq }) => seq === next.seq) : places.length;
  return { found: rows.filter(({ matches }) => matches === true), compared };
}
