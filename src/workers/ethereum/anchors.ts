import { createHash } from 'node:crypto';
import { ethereumAnchorOf, latestEthereumAnchor } from '../../../projections/log/ethereum-anchors.js';
import { type CheckpointRow, latestCheckpoint, logState } from '../../../projections/log/queries.js';
import type { Database } from '../../adapters/database/database.js';
import type { EthereumNode } from '../../adapters/ethereum/node.js';
import { anchorCall, isAnchorLog } from '../../domain/ethereum/anchor-call.js';
import { type MissingEntry, missingEntry } from '../../domain/ethereum/anchor-entry.js';
import { type LogEvent, type RecordInLog, whileLogMoves } from '../../tlog/record.js';
import { parseNote } from '../../verifier/note.js';
import type { World } from '../../world.js';
import type { Purpose } from './parts.js';
import { type Prove, provedLog, provesAnchor } from './proof.js';
import type { StoredTransaction } from './rows.js';

export interface AnchorParts {
  readonly database: Database;
  readonly node: EthereumNode;
  readonly record: RecordInLog;
  readonly world: Pick<World, 'now'>;
  readonly anchorAddress: string;
  readonly intervalMs: number;
  /** Is called when an anchor becomes final without a proof. */
  onUnproved(blockHash: string, reason: string): void;
}

/** More than a first anchor of a log takes. */
const mostGas = 150_000n;

/** Checkpoints in the contract: each interval the newest one, unless it is anchored. Older ones are proved by consistency. */
export function createAnchors(parts: AnchorParts): Purpose {
  const prove = provedLog(parts.node, parts.onUnproved);
  return {
    name: 'anchors',
    mostGas,
    isDone: ({ logs }, { recipient, data }) => logs.some((log) => isAnchorLog(log, recipient, data)),
    isProved: provesAnchor(parts.node),
    obstacle: missingContract(parts),
    next: (last) => nextAnchor(parts, last),
    record: (row) => recordAnchor(parts, prove, row),
  };
}

/** A transaction to an address without a contract would be paid for and anchor nothing. A contract cannot go away again. */
function missingContract({ node, anchorAddress }: AnchorParts): Purpose['obstacle'] {
  let isThere = false;
  return async () => {
    isThere ||= (await node.code(anchorAddress)) !== '0x';
    return isThere ? null : `there is no contract at ${anchorAddress}`;
  };
}

async function nextAnchor({ database, world, anchorAddress, intervalMs }: AnchorParts, last: StoredTransaction | null) {
  const { checkpoint, anchor, latest } = await database.read(async (tx) => {
    const checkpoint = await latestCheckpoint(tx);
    const anchor = checkpoint && (await ethereumAnchorOf(tx, checkpoint.size));
    return { checkpoint, anchor, latest: await latestEthereumAnchor(tx) };
  });
  if (!checkpoint || (anchor && anchor.state !== 'lost')) return null;
  const since = last?.begunAt ?? latest?.block_time;
  if (since !== undefined && world.now().getTime() - Date.parse(since) < intervalMs) return null;
  return { reference: `${checkpoint.size}`, recipient: anchorAddress, data: anchorCall(argumentsOf(checkpoint)) };
}

function argumentsOf({ size, note }: CheckpointRow) {
  const { text } = parseNote(Buffer.from(note, 'utf8'));
  const [origin = ''] = text.split('\n', 1);
  return { size, origin: sha256(origin), digest: sha256(text) };
}

const sha256 = (text: string) => `0x${createHash('sha256').update(text, 'utf8').digest('hex')}`;

async function recordAnchor({ database, record }: AnchorParts, prove: Prove, row: StoredTransaction): Promise<void> {
  const size = Number(row.reference);
  for (;;) {
    const found = await database.read(async (tx) => missingEntry(row, await ethereumAnchorOf(tx, size)));
    if (found === null) return;
    // It takes a while, and the log may move meanwhile.
    const proof = found.kind === 'anchor.final' ? await prove(row, found.inclusion) : null;
    await whileLogMoves(async () => {
      const { seq, missing } = await database.read(async (tx) => ({
        seq: (await logState(tx)).seq,
        missing: missingEntry(row, await ethereumAnchorOf(tx, size)),
      }));
      if (missing?.kind === found.kind) await record(seq, entryOf(row, size, missing, proof));
    });
  }
}

function entryOf(
  row: StoredTransaction,
  size: number,
  missing: MissingEntry,
  proof: Awaited<ReturnType<Prove>>,
): LogEvent {
  const type = 'ethereum';
  if (missing.kind === 'anchor.lost') {
    const { block_number, block_hash } = missing.anchor;
    return { kind: 'anchor.lost', body: { type, size, height: block_number, block_hash } };
  }
  const { txHash, blockNumber, blockHash, blockTime } = missing.inclusion;
  if (missing.kind === 'anchor.final')
    return { kind: 'anchor.final', body: { type, size, block_hash: blockHash, proof } };
  return {
    kind: 'anchor.mined',
    body: {
      type,
      size,
      digest: row.data.slice(-64),
      chain_id: row.chainId,
      contract: row.recipient,
      tx_hash: txHash,
      block_number: blockNumber,
      block_hash: blockHash,
      block_time: blockTime,
    },
  };
}
