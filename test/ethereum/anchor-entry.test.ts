import { describe, expect, it } from 'vitest';
import { type AnchorTransaction, missingEntry, type RecordedAnchor } from '../../src/domain/ethereum/anchor-entry.js';
import type { Inclusion } from '../../src/domain/ethereum/next-step.js';

const inclusion: Inclusion = {
  txHash: '0xaa',
  blockNumber: 100,
  blockHash: '0xb100',
  blockTime: '2026-11-23T00:00:00.000Z',
  succeeded: true,
  paid: 5n,
};

describe('the entry that the ledger lacks', () => {
  const anchor: RecordedAnchor = { state: 'mined', tx_hash: '0xaa', block_number: 100, block_hash: '0xb100' };
  const of = (state: AnchorTransaction['state'], at: Inclusion | null): AnchorTransaction => ({ state, inclusion: at });
  const other = { ...inclusion, blockHash: '0xb101' };
  const failed = { ...inclusion, succeeded: false };

  // @covers ETH-CONFIRMED ETH-LOST
  it.each<[string, AnchorTransaction, RecordedAnchor | undefined, string | null]>([
    ['of a transaction without a block', of('sent', null), undefined, null],
    ['of a block', of('mined', inclusion), undefined, 'anchor.mined'],
    ['of a final block of which it knows nothing', of('done', inclusion), undefined, 'anchor.mined'],
    ['of a known block', of('mined', inclusion), anchor, null],
    ['of a final block', of('done', inclusion), anchor, 'anchor.final'],
    ['of a known final block', of('done', inclusion), { ...anchor, state: 'final' }, null],
    ['of a lost block', of('sent', null), anchor, 'anchor.lost'],
    ['of a lost final block', of('sent', null), { ...anchor, state: 'final' }, 'anchor.lost'],
    ['of another block', of('mined', other), anchor, 'anchor.lost'],
    ['of another block after the loss', of('mined', other), { ...anchor, state: 'lost' }, 'anchor.mined'],
    ['of a nonce that is taken', of('taken', null), { ...anchor, state: 'lost' }, null],
    ['of a failure', of('failed', failed), undefined, null],
    ['of a failure after an anchor', of('mined', failed), anchor, 'anchor.lost'],
  ])('%s', (_, transaction, recorded, kind) => {
    expect(missingEntry(transaction, recorded)?.kind ?? null).toBe(kind);
  });
});
