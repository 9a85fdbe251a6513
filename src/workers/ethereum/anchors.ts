import { createHash } from 'node:crypto';
import { ethereumAnchorOf, latestEthereumAnchor } from '../../../projections/log/ethereum-anchors.js';
import { type CheckpointRow, latestCheckpoint, logState } from '../../../projections/log/queries.js';
import type { EthereumNode } from '../../adapters/ethereum/node.js';
import type { World } from '../../base/world.js';
import type { Database } from '../../database/database.js';
import { anchorCall, compareCode, isAnchorLog } from '../../domain/ethereum/anchor-contract.js';
import { type MissingEntry, missingEntry } from '../../domain/ethereum/anchor-entry.js';
import { type LogEvent, type RecordInLog, whileLogMoves } from '../../tlog/record.js';
import { parseNote } from '../../verifier/note.js';
import type { Purpose } from './parts.js';
import { type LogProof, proofOfAnchor } from './proof.js';
import type { StoredTransaction } from './rows.js';

export interface AnchorParts {
  readonly database: Database;
  readonly node: EthereumNode;
  readonly record: RecordInLog;
  readonly world: Pick<World, 'now'>;
  readonly anchorAddress: string;
  /** The code of the contract, as `eth_getCode` answers it. */
  readonly anchorCode: string;
  readonly intervalMs: number;
  /** Is called when an anchor becomes final without a proof. */
  onUnproved(blockHash: string): void;
}

/** More than a first anchor of a log takes. */
export const mostGas = 150_000n;
/** A little more than an anchor of a new checkpoint uses. */
export const leastGas = 50_000n;

/** Checkpoints in the contract: each interval the newest one, unless it is anchored. Older ones are proved by consistency. */
export function createAnchors(parts: AnchorParts): Purpose {
  const { node } = parts;
  return {
    name: 'anchors',
    mostGas,
    leastGas,
    isDone: ({ logs }, { recipient, data }) => logs.some((log) => isAnchorLog(log, recipient, data)),
    obstacle: () => faultOfContract(node, parts),
    next: (last) => nextAnchor(parts, last),
    record: (row) => recordAnchor(parts, row),
  };
}

/**
 * The end of a sentence: why the address of the settings is wrong. Null when it is not. A transaction to another address would be
 * paid for and anchor nothing, so it is asked before each: a reorganisation may take away the block of a young contract.
 * @throws NodeFailed
 */
export async function faultOfContract(
  node: Pick<EthereumNode, 'code'>,
  { anchorAddress, anchorCode }: Pick<AnchorParts, 'anchorAddress' | 'anchorCode'>,
): Promise<string | null> {
  const found = compareCode(await node.code(anchorAddress), anchorCode);
  if (found === 'the contract') return null;
  const what = found === 'nothing' ? 'no contract' : 'a contract with other code than that of this version';
  return `there is ${what} at ${anchorAddress}`;
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

export function argumentsOf({ size, note }: CheckpointRow) {
  const { text } = parseNote(Buffer.from(note, 'utf8'));
  const [origin = ''] = text.split('\n', 1);
  return { size, origin: sha256(origin), digest: sha256(text) };
}

const sha256 = (text: string) => `0x${createHash('sha256').update(text, 'utf8').digest('hex')}`;

async function recordAnchor(
  { database, node, record, onUnproved }: AnchorParts,
  row: StoredTransaction,
): Promise<void> {
  const size = Number(row.reference);
  for (;;) {
    const found = await database.read(async (tx) => missingEntry(row, await ethereumAnchorOf(tx, size)));
    if (found === null) return;
    // It takes a while, and the log may move meanwhile.
    const proof = found.kind === 'anchor.final' ? await proofOfAnchor(node, row, found.inclusion) : null;
    await whileLogMoves(async () => {
      const { head, missing } = await database.read(async (tx) => ({
        head: (await logState(tx)).head,
        missing: missingEntry(row, await ethereumAnchorOf(tx, size)),
      }));
      if (missing?.kind === found.kind) await record(head, entryOf(row, size, missing, proof));
    });
    if (found.kind === 'anchor.final' && proof === null) onUnproved(found.inclusion.blockHash);
  }
}

function entryOf(row: StoredTransaction, size: number, missing: MissingEntry, proof: LogProof | null): LogEvent {
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
