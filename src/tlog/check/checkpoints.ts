import { logChain } from '../../../contracts/log.js';
import { keyLeaves, logLeafHashes } from '../../../projections/log/queries.js';
import { anchorRows, checkpointRows, ethereumAnchorRows } from '../../../projections/log/rows.js';
import type { Transaction } from '../../adapters/database/database.js';
import { entryRows } from '../../ledger/rows.js';
import type { EasiestTarget } from '../../verifier/bitcoin.js';
import { equal, toUtf8 } from '../../verifier/bytes.js';
import { openKeyHistory, type SoundKey } from '../../verifier/key-history.js';
import { readKeyEvent } from '../../verifier/keys.js';
import { type Log, readLog } from '../../verifier/log.js';
import { verifyNote } from '../../verifier/note-key.js';
import { inUseAt } from '../../verifier/trusted-keys.js';
import { attempt } from '../../verifier/unreadable.js';
import { type AnchoredRow, anchorFault } from './anchors.js';
import { type EthereumAnchoredRow, ethereumAnchorFault, ethereumColumns } from './ethereum-anchors.js';
import type { Stop, TreeToCheck } from './tree.js';

interface CheckpointRow extends AnchoredRow, EthereumAnchoredRow {
  size: number;
  root: Uint8Array;
  note: string;
}

/** Every signing key of the log, of which there are few, or the first fault among them as a sentence. */
export async function checkedKeys(tx: Transaction): Promise<readonly SoundKey[] | string> {
  const history = openKeyHistory();
  const where = (index: number) => `Leaf ${index} of the table log_leaves, a signing key,`;
  for (const { index, leaf } of await keyLeaves(tx, Number.MAX_SAFE_INTEGER)) {
    const event = attempt(() => readKeyEvent(toUtf8(leaf)));
    if (typeof event === 'string') return `${where(index)} cannot be read: ${event}.`;
    if (history.sound().length === 0 && index !== 0) return `${where(index)} is the first one and not leaf 0.`;
    const fault = history.take(index, event);
    if (fault !== null) return `${where(index)} ${fault}.`;
  }
  const [unsound] = history.unsound();
  if (!unsound) return history.sound();
  const { index, fault, key } = unsound;
  return `${where(index)} ${fault}. To have the log say so: counterfoil keys disown ${key.id}`;
}

/** A checkpoint that was signed after a larger one. The read model holds them by size and does not show this. */
export async function orderFault(tx: Transaction): Promise<string | null> {
  const [row] = await tx.query<{ seq: number; size: number; before: number }>(
    `with signed as (
       select seq, (convert_from(bytes, 'UTF8')::json -> 'body' ->> 'size')::bigint as size from ${entryRows} one
        where chain = $1 and position(convert_to('"kind":"checkpoint.signed"', 'UTF8') in bytes) > 0)
     select * from (select seq, size, lag(size) over (order by seq) as before from signed) pairs
      where size <= before order by seq limit 1`,
    [logChain],
  );
  if (!row) return null;
  return `Entry ${row.seq} of the public log in the table entries is a checkpoint of ${row.size} leaves, signed behind one of ${row.before}.`;
}

/** The tree of the public log, with its checkpoints as stops. */
export function logTree(size: number, keys: readonly SoundKey[], easiest: EasiestTarget): TreeToCheck {
  let before: number | null = null;
  const check = (row: CheckpointRow): Stop['check'] => {
    // Everyone who reads leaf 0 knows the first key of a log without a checkpoint.
    const shown = keys.filter(({ index }) => index < (before ?? 1));
    before = row.size;
    return (root) => {
      const fault = checkpointFault(row, root, shown) ?? anchorFault(row, easiest) ?? ethereumAnchorFault(row);
      return fault && `The checkpoint of ${row.size} leaves in the table checkpoints ${fault}.`;
    };
  };
  return {
    tree: logChain,
    name: 'the tree of the public log',
    size,
    leafHashes: logLeafHashes,
    leafTable: 'log_leaves',
    async stops(tx, from, to) {
      const rows = await tx.query<CheckpointRow>(
        `select c.size, root, note, coalesce(a.state, 'pending') as anchor, a.digest, promised, proof as ots, height, a.header,
                a.block_hash, ${ethereumColumns}
           from ${checkpointRows} c left join ${anchorRows} a on a.size = c.size and a.type = 'opentimestamps'
           left join ${ethereumAnchorRows} x on x.size = c.size
          where c.size > $1 and c.size <= $2 order by c.size`,
        [from, to],
      );
      return rows.map((row) => ({ size: row.size, check: check(row) }));
    },
  };
}

function checkpointFault(row: CheckpointRow, root: Uint8Array, shown: readonly SoundKey[]): string | null {
  const log: Log | string = attempt(() => readLog(row.note));
  if (typeof log === 'string') return `cannot be read: ${log}`;
  if (log.size !== row.size) return `has a note of ${log.size} leaves`;
  if (!equal(log.root, row.root)) return 'has a note with another root than its row';
  if (!equal(log.root, root)) return `does not have the root of the first ${row.size} leaves of the table log_leaves`;
  const [first] = shown;
  if (first && log.origin !== first.key.name) return `is of another log, ${log.origin}`;
  const known = inUseAt(
    shown.map(({ key }) => key),
    row.size,
  );
  const signed = verifyNote(log.note, known);
  return typeof signed === 'string' ? `is not signed by a key that the log had shown before: ${signed}` : null;
}
