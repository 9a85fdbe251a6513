import { logChain, treeOfLog } from '../../../contracts/log.js';
import { formerLeafHashes } from '../../../projections/log/former.js';
import { type LeafRow, logLeafHashes } from '../../../projections/log/queries.js';
import { anchorRows, checkpointRows, ethereumAnchorRows, formerRows } from '../../../projections/log/rows.js';
import { namedFaults, type OnFault } from '../../base/faults.js';
import type { Transaction } from '../../database/database.js';
import { entryRows } from '../../ledger/rows.js';
import type { EasiestTarget } from '../../verifier/bitcoin.js';
import { equal, toUtf8 } from '../../verifier/bytes.js';
import { type Log, readLog } from '../../verifier/checkpoint.js';
import { openKeyHistory, type SoundKey } from '../../verifier/key-history.js';
import { keyEventOf } from '../../verifier/leaf.js';
import { verifyNote } from '../../verifier/note.js';
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

/** Every signing key of a log, of which there are few, or null when one of them is faulty, which is reported. */
export function checkedKeys(
  leaves: readonly Pick<LeafRow, 'index' | 'leaf'>[],
  table: string,
  found: OnFault,
): readonly SoundKey[] | null {
  const history = openKeyHistory();
  let isSound = true;
  const report = (index: number, fault: string) => {
    isSound = false;
    found('keys', `Leaf ${index} of the table ${table}, a signing key, ${fault}`);
  };
  for (const { index, leaf } of leaves) {
    const read = attempt(() => ({ event: keyEventOf(toUtf8(leaf)) }));
    if (typeof read === 'string') {
      report(index, `cannot be read: ${read}.`);
      continue;
    }
    const { event } = read;
    // The succession with which a log may begin is checked with the log before it.
    if (event === null) continue;
    if (isSound && history.sound().length === 0 && index !== 0) report(index, 'is the first one and not leaf 0.');
    const fault = history.take(index, event);
    if (fault !== null) report(index, `${fault}.`);
  }
  for (const { index, fault, key } of history.unsound()) {
    report(index, `${fault}. To have the log say so: counterfoil keys disown ${key.id}`);
  }
  return isSound ? history.sound() : null;
}

/** SQL of whether an entry is of a kind, which takes no JSON. */
const isOfKind = (kind: string) => `position(convert_to('"kind":"${kind}"', 'UTF8') in bytes) > 0`;

/** Checkpoints that were signed after a larger one of the same log. The read model holds them by size and does not show this. */
export async function orderFaults(tx: Transaction): Promise<string[]> {
  const rows = await tx.query<{ seq: number; size: number; before: number }>(
    `with signed as (
       select seq, (convert_from(bytes, 'UTF8')::json -> 'body' ->> 'size')::bigint as size from ${entryRows} one
        where chain = $1 and (${isOfKind('checkpoint.signed')} or ${isOfKind('log.succeeded')})),
     in_logs as (select seq, size, count(*) filter (where size is null) over (order by seq) as log from signed)
     select * from (select seq, size, lag(size) over (partition by log order by seq) as before from in_logs) pairs
      where size <= before order by seq limit ${namedFaults + 1}`,
    [logChain],
  );
  return rows.map(
    ({ seq, size, before }) =>
      `Entry ${seq} of the public log in the table entries is a checkpoint of ${size} leaves, signed behind one of ${before}.`,
  );
}

/** Where the rows of a log are: of the current one, or of one that has ended. */
interface LogPlace extends Pick<TreeToCheck, 'tree' | 'name' | 'leafHashes' | 'leafTable'> {
  /** Fragments of SQL. */
  readonly rows: ReturnType<typeof formerRows>;
}

export const currentPlace = (tree: string): LogPlace => ({
  tree,
  name: 'the tree of the public log',
  leafHashes: logLeafHashes,
  leafTable: 'log_leaves',
  rows: { checkpoints: checkpointRows, anchors: anchorRows, ethereumAnchors: ethereumAnchorRows },
});

export const formerPlace = (log: number): LogPlace => ({
  tree: treeOfLog(log),
  name: `the tree of log ${log}, which has ended,`,
  leafHashes: formerLeafHashes(log),
  leafTable: 'former_leaves',
  rows: formerRows(log),
});

interface LogTreeCheck {
  readonly place: LogPlace;
  readonly size: number;
  /** Null when they are faulty; signatures are not checked then. */
  readonly keys: readonly SoundKey[] | null;
  readonly easiest: EasiestTarget;
  readonly found: OnFault;
}

/** The tree of a log, with its checkpoints as stops. */
export function logTree({ place: { rows: from, ...place }, size, keys, easiest, found }: LogTreeCheck): TreeToCheck {
  let before: number | null = null;
  const check = (row: CheckpointRow): Stop['check'] => {
    const upTo = before ?? 1;
    before = row.size;
    const report = (kind: string, fault: string | null) => {
      if (fault !== null) found(kind, `The checkpoint of ${row.size} leaves in the table checkpoints ${fault}.`);
    };
    return (root) => {
      const log = attempt(() => readLog(row.note));
      if (typeof log === 'string') return report('checkpoints', `cannot be read: ${log}`);
      // Everyone who reads leaf 0 knows the first key of a log without a checkpoint.
      const shown = keys?.filter(({ index }) => index < upTo) ?? null;
      report('checkpoints', checkpointFault(row, log, root) ?? (shown && signatureFault(row, log, shown)));
      report('timestamps', anchorFault(row, easiest));
      report('anchors on Ethereum', ethereumAnchorFault(row));
    };
  };
  return {
    ...place,
    size,
    async stops(tx, after, to) {
      const rows = await tx.query<CheckpointRow>(
        `select c.size, root, note, coalesce(a.state, 'pending') as anchor, a.digest, promised, proof as ots, height, a.header,
                a.block_hash, ${ethereumColumns}
           from ${from.checkpoints} c left join ${from.anchors} a on a.size = c.size and a.type = 'opentimestamps'
           left join ${from.ethereumAnchors} x on x.size = c.size
          where c.size > $1 and c.size <= $2 order by c.size`,
        [after, to],
      );
      return rows.map((row) => ({ size: row.size, check: check(row) }));
    },
  };
}

function checkpointFault(row: CheckpointRow, log: Log, root: Uint8Array): string | null {
  if (log.size !== row.size) return `has a note of ${log.size} leaves`;
  if (!equal(log.root, row.root)) return 'has a note with another root than its row';
  return equal(log.root, root)
    ? null
    : `does not have the root of the first ${row.size} leaves of the table log_leaves`;
}

function signatureFault(row: CheckpointRow, log: Log, shown: readonly SoundKey[]): string | null {
  const [first] = shown;
  if (first && log.origin !== first.key.name) return `is of another log, ${log.origin}`;
  const known = inUseAt(
    shown.map(({ key }) => key),
    row.size,
  );
  const signed = verifyNote(log.note, known);
  return typeof signed === 'string' ? `is not signed by a key that the log had shown before: ${signed}` : null;
}
