import { describe, expect, it } from 'vitest';
import { proofOfLog } from '../../src/domain/ethereum/proof-of-log.js';
import { NotProvable } from '../../src/domain/ethereum/rpc-values.js';
import { readBlock } from '../../src/verifier/ethereum/header.js';
import { receiptIn } from '../../src/verifier/ethereum/trie.js';
import { seededRandom } from '../verifier/mutations.js';
import { anchorLog, blockWith, hex, randomBlock, randomReceipt, unhex } from './blocks.js';

const random = seededRandom(23);
const contract = `0x${'c0'.repeat(20)}`;
const anchor = anchorLog(contract, 'log.example', new Uint8Array(32).fill(7), 12);

describe('the proof of a log', () => {
  it('leads from the hash of the block to the receipt', async () => {
    const { block, receipts } = await blockWith(random, { size: 20, at: 17, anchor });
    const made = await proofOfLog({ block, receipts, txIndex: 17, logIndex: 0 });
    const header = readBlock(unhex(made.header));
    expect(hex(header.hash)).toBe(block.hash);
    expect(hex(receiptIn(header.receiptsRoot, 17, made.proof.map(unhex)))).toBe(made.receipt);
    expect(made).toMatchObject({ contract, tx_index: 17, log_index: 0 });
  });

  it('is refused with a sentence when the answers of the node do not agree', async () => {
    const { block, receipts } = await blockWith(random, { size: 5, at: 2, anchor, version: 4 });
    const refusal = async (
      change: Partial<{ block: unknown; receipts: unknown[]; txIndex: number; logIndex: number }>,
    ) =>
      proofOfLog({ block, receipts, txIndex: 2, logIndex: 0, ...change }).catch((error: unknown) =>
        error instanceof NotProvable ? error.message : error,
      );
    const [one, ...others] = receipts;
    expect(await refusal({ block: null })).toMatch(/gave a block that cannot be read/);
    expect(await refusal({ block: { ...block, gasUsed: '0x01' } })).toMatch(/gasUsed is wrong/);
    expect(await refusal({ block: { ...block, gasUsed: '0x1' } })).toMatch(/does not have the hash/);
    // A later version of the protocol: its field is hashed, and we do not know it.
    expect(await refusal({ block: { ...block, requestsHash: null } })).toMatch(/a field in its headers/);
    expect(await refusal({ receipts: others })).toMatch(/order of their transactions/);
    expect(await refusal({ receipts: receipts.slice(0, 4) })).toMatch(/do not have the root/);
    expect(await refusal({ receipts: [{ ...one, status: one?.status === '0x1' ? '0x0' : '0x1' }, ...others] })).toMatch(
      /do not have the root/,
    );
    expect(await refusal({ receipts: [{ ...one, logs: 5 }, ...others] })).toMatch(/a receipt of transaction 0/);
    expect(await refusal({ logIndex: 1 })).toMatch(/has no log 1 in the receipt of transaction 2/);
    expect(await refusal({ txIndex: 5 })).toMatch(/has no log 0 in the receipt of transaction 5/);
    expect(await refusal({ receipts: receipts.with(2, randomReceipt(random, 2, [anchor])) })).toMatch(/root/);
  });

  it('is made beside deposits of the OP Stack, whose receipts have two more fields', async () => {
    const deposit = { ...randomReceipt(random, 0, []), type: '0x7e', depositNonce: '0x5' };
    for (const version of [{}, { depositReceiptVersion: '0x1' }]) {
      const chosen = await randomBlock(random, [{ ...deposit, ...version }, randomReceipt(random, 1, [anchor])]);
      expect(await proofOfLog({ ...chosen, txIndex: 1, logIndex: 0 })).toMatchObject({ contract, tx_index: 1 });
    }
  });

  it('of a failed transaction, or of a receipt that is too long for a bundle, is refused', async () => {
    const failed = await randomBlock(random, [{ ...randomReceipt(random, 0, [anchor]), status: '0x0' }]);
    await expect(proofOfLog({ ...failed, txIndex: 0, logIndex: 0 })).rejects.toThrow(/has failed/);
    const long = await randomBlock(random, [randomReceipt(random, 0, Array(300).fill(anchor))]);
    await expect(proofOfLog({ ...long, txIndex: 0, logIndex: 0 })).rejects.toThrow(/larger than a bundle/);
  });
});
