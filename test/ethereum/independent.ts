import { createHash } from 'node:crypto';
import { verifyMerkleProof } from '@ethereumjs/mpt';
import { RLP } from '@ethereumjs/rlp';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { z } from 'zod';

/**
 * A second opinion on anchors on Ethereum. It shares no code with the verifier: the trie and RLP are those of @ethereumjs, and
 * the checkpoint is read with a regular expression.
 */

const hex = z.string().regex(/^(0x)?([0-9a-f]{2})*$/);
const anchorForm = z.object({
  type: z.literal('ethereum'),
  chain_id: z.number(),
  contract: z.string(),
  header: hex,
  tx_index: z.number().int().min(0),
  log_index: z.number().int().min(0),
  receipt: hex,
  proof: z.array(hex),
  checkpoint: z.string().optional(),
});

const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text.replace(/^0x/, ''), 'hex'));
const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

const bytes = z.instanceof(Uint8Array);
const receiptForm = z.tuple([bytes, bytes, bytes, z.array(z.tuple([bytes, z.tuple([bytes, bytes, bytes]), bytes]))]);

/**
 * @param ownCheckpoint the checkpoint of the bundle
 * @param trusted the chain id and the hash of the block that are trusted
 * @returns whether the block holds the anchor of the checkpoint
 */
export async function heldByBlock(
  anchor: unknown,
  ownCheckpoint: string,
  trusted: { readonly chainId: number; readonly hash: string },
): Promise<boolean> {
  try {
    const { chain_id, contract, header, tx_index, log_index, receipt, proof, checkpoint } = anchorForm.parse(anchor);
    const [text = ''] = /^(?:.+\n)+(?=\n)/.exec(checkpoint ?? ownCheckpoint) ?? [];
    const [origin = '', size = ''] = text.split('\n');
    if (chain_id !== trusted.chainId || hexOf(keccak_256(bytesOf(header))) !== trusted.hash) return false;
    const root = bytes.parse(z.array(bytes).parse(RLP.decode(bytesOf(header)))[5]);
    const found = await verifyMerkleProof(RLP.encode(tx_index), proof.map(bytesOf), { root });
    if (found === null || hexOf(found) !== hexOf(bytesOf(receipt))) return false;
    const [status, , , logs] = receiptForm.parse(RLP.decode((found[0] ?? 0) < 0xc0 ? found.subarray(1) : found));
    const [address, topics, data] = logs[log_index] ?? [];
    if (!address || !topics || !data) return false;
    const [name, log, digest] = topics.map(hexOf);
    return (
      hexOf(status) === '01' &&
      hexOf(address) === hexOf(bytesOf(contract.toLowerCase())) &&
      name === hexOf(keccak_256(Buffer.from('Anchored(bytes32,bytes32,uint64)'))) &&
      log === sha256(origin) &&
      digest === sha256(text) &&
      BigInt(`0x${hexOf(data)}`) === BigInt(size)
    );
  } catch {
    return false;
  }
}
