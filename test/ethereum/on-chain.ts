import { expect } from 'vitest';
import { z } from 'zod';
import type { Sending } from './sending.js';

const logs = z.array(z.object({ topics: z.array(z.string()), blockHash: z.string(), transactionHash: z.string() }));

/** Everything that a chain and the ledger say of the same anchors. */
export interface Compared {
  readonly transactions: number;
  readonly anchors: number;
  /** In wei, by the rows of the store and by the balance of the account. */
  readonly recorded: bigint;
  readonly spent: bigint;
}

/**
 * Compares everything that the store has recorded with the chain: each final anchor is in the block that it names, which is in the
 * chain, and is proved; each checkpoint is paid for once; each payment is the one of the chain.
 * @param before the balance of the account before the first transaction of the store
 */
export async function comparedWithChain(sending: Sending, account: string, before: bigint): Promise<Compared> {
  const { node, anvil, store, contract } = sending;
  const filter = { address: contract, fromBlock: '0x0', toBlock: 'latest' };
  const events = logs.parse(await anvil.call('eth_getLogs', [filter]));
  const rows = await store.sql<{ reference: string; state: string; paid: string; recorded: boolean; tx_hash: string }>(
    'select reference, state, paid::text, recorded, tx_hash from ethereum_transactions where account = $1 order by nonce',
    [account],
  );
  expect(rows.filter(({ state, recorded }) => state !== 'done' || !recorded)).toEqual([]);
  expect(await node.transactionCount(account, 'latest')).toBe(rows.length);
  expect(new Set(events.map(({ topics }) => topics.join())).size).toBe(events.length);
  expect(events.map((event) => event.transactionHash).sort()).toEqual(rows.map((row) => row.tx_hash).sort());
  const anchors = await store.sql<{
    size: number;
    state: string;
    tx_hash: string;
    block_hash: string;
    proved: boolean;
  }>('select size, state, tx_hash, block_hash, header is not null as proved from ethereum_anchors order by size');
  expect(anchors.filter(({ state, proved }) => state !== 'final' || !proved)).toEqual([]);
  const placed = (place: { tx: string; block: string }) => `${place.tx} in ${place.block}`;
  expect(anchors.map((anchor) => placed({ tx: anchor.tx_hash, block: anchor.block_hash })).sort()).toEqual(
    events.map((event) => placed({ tx: event.transactionHash, block: event.blockHash })).sort(),
  );
  const recorded = rows.reduce((sum, { paid }) => sum + BigInt(paid), 0n);
  const spent = before - (await node.balance(account));
  expect(recorded).toBe(spent);
  return { transactions: rows.length, anchors: anchors.length, recorded, spent };
}
