import { createMerkleProof, verifyMerkleProof } from '@ethereumjs/mpt';
import { RLP } from '@ethereumjs/rlp';
import { describe, expect, it } from 'vitest';
import { proofOfLog } from '../../../src/domain/ethereum/proof-of-log.js';
import { readBlock } from '../../../src/verifier/ethereum/header.js';
import { readTransactionReceipt } from '../../../src/verifier/ethereum/receipt.js';
import { receiptIn } from '../../../src/verifier/ethereum/trie.js';
import { anchorLog, blockWith, headerOf, hex, receiptOf, trieOf, unhex } from '../../ethereum/blocks.js';
import { repeats } from '../../support/repeats.js';
import { seededRandom } from '../../verifier/mutations.js';

const random = seededRandom(23);
const contract = `0x${'c0'.repeat(20)}`;
const digest = new Uint8Array(32).fill(7);
const anchor = anchorLog(contract, 'log.example', digest, 12);

/** Sizes at which the trie has another form: keys have one byte up to 127, two up to 255, then three. */
const sizes = [1, 2, 3, 16, 127, 128, 129, 256, 257, 300];

describe('the proof of a log', () => {
  it(`is the same as that of @ethereumjs in ${repeats('TRIES')} blocks, and both verify it`, async () => {
    for (let round = 0; round < repeats('TRIES'); round += 1) {
      const size = sizes[round] ?? 1 + random(300);
      const at = random(size);
      const { block, receipts } = await blockWith(random, { size, at, anchor });
      const made = await proofOfLog({ block, receipts, txIndex: at, logIndex: 0 });
      const key = RLP.encode(at);
      const trie = await trieOf(receipts);
      expect(made.proof).toEqual((await createMerkleProof(trie, key)).map(hex));
      expect(made.header).toBe(hex(headerOf(block)));
      expect(made).toMatchObject({ contract, tx_index: at, log_index: 0 });

      const nodes = made.proof.map(unhex);
      const header = readBlock(unhex(made.header));
      expect(hex(header.hash)).toBe(block.hash);
      expect(hex(receiptIn(header.receiptsRoot, at, nodes))).toBe(made.receipt);
      const peer = await verifyMerkleProof(key, nodes, { root: trie.root() });
      expect(hex(peer ?? new Uint8Array())).toBe(made.receipt);
    }
  });

  it('of every transaction of a block that @ethereumjs proves is accepted by the verifier', async () => {
    const { receipts } = await blockWith(random, { size: 300, at: 0, anchor });
    const trie = await trieOf(receipts);
    for (const [index, receipt] of receipts.entries()) {
      const proof = await createMerkleProof(trie, RLP.encode(index));
      const found = receiptIn(trie.root(), index, proof);
      expect(Buffer.compare(found, receiptOf(receipt))).toBe(0);
      expect(readTransactionReceipt(found)).toEqual({
        succeeded: receipt.status === '0x1',
        logs: receipt.logs.map(({ address, topics, data }) => ({
          address: unhex(address),
          topics: topics.map(unhex),
          data: unhex(data),
        })),
      });
    }
  });
});
