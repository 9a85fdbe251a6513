import { sha256 } from '@noble/hashes/sha2.js';
import { type LogProof, proofOfLog } from '../../src/domain/ethereum/proof-of-log.js';
import { toUtf8 } from '../../src/verifier/bytes.js';
import { readLog } from '../../src/verifier/checkpoint.js';
import type { BundleJson } from '../verifier/bundles.js';
import type { Random } from '../verifier/mutations.js';
import { anchorLog, blockWith } from './blocks.js';

/** An anchor on Ethereum as a bundle has it. */
export interface EthereumJson extends LogProof {
  readonly type: 'ethereum';
  readonly chain_id: number;
  readonly checkpoint?: string;
  readonly consistency?: readonly string[];
}

export interface AnchoredBundle {
  readonly bundle: Omit<BundleJson, 'anchors'> & { anchors: EthereumJson[] };
  readonly anchor: EthereumJson;
  /** Of the block, in lowercase hex without 0x. */
  readonly hash: string;
}

export const contract = '0x5fbdb2315678afecb367f032d93f642f64180aa3';

/**
 * The bundle with an anchor on Ethereum instead of its timestamp, of the same checkpoint, in a block made by chance.
 * @param from a bundle with one timestamp or none
 */
export async function onEthereum(
  from: BundleJson,
  random: Random,
  { transactions = 12, at = 5 }: { transactions?: number; at?: number } = {},
): Promise<AnchoredBundle> {
  const [timestamp] = from.anchors;
  const { note, origin, size } = readLog(timestamp?.checkpoint ?? from.checkpoint ?? '');
  const event = anchorLog(contract, origin, sha256(toUtf8(note.text)), size);
  const { block, receipts } = await blockWith(random, { size: transactions, at, anchor: event });
  const made = await proofOfLog({ block, receipts, txIndex: at, logIndex: 0 });
  const later = timestamp?.checkpoint === undefined ? {} : laterOf(timestamp);
  const anchor: EthereumJson = { type: 'ethereum', chain_id: 31_337, ...made, ...later };
  return { bundle: { ...from, anchors: [anchor] }, anchor, hash: block.hash?.slice(2) ?? '' };
}

function laterOf({ checkpoint = '', consistency = [] }: BundleJson['anchors'][number]) {
  return { checkpoint, consistency };
}
