import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { realWorld } from '../../../../src/base/world.js';
import { feedNames } from '../../../../src/domain/market/feeds/all.js';
import { recompute } from '../../../../src/maintenance/recompute/recompute.js';
import { newStore, type Store } from '../../../maintenance/store.js';
import { recordEconomy } from '../../../market/entries.js';

/** Later than all entries of the store, and half a second before another minute is complete. */
const now = Date.parse('2100-01-01T00:01:04.500Z');

describe('the command that computes a feed again', () => {
  let store: Store;
  beforeAll(async () => {
    store = await newStore();
    await recordEconomy(store, 7, 10);
  });
  afterAll(() => store.close());

  const run = async (...args: string[]) => {
    const world = { now: () => new Date(now) };
    const parts = { database: store.database, world, tagKey: async () => realWorld.random(32) };
    return (await recompute(parts)(args, () => undefined)).text;
  };

  // @covers RECOMPUTE-MINUTE
  it('cuts the moment down to the minute, and refuses minutes that are not complete', async () => {
    const texts = ['2100-01-01T00:00:00Z', '2100-01-01T01:00:59.999+01:00'].map((at) => run('terminal', at));
    const [first, second] = await Promise.all(texts);
    expect(JSON.parse(first ?? '').summary).toMatchObject({ as_of: '2100-01-01T00:00:00.000Z' });
    expect(JSON.parse(first ?? '').summary.evidence.receipts).toBeGreaterThan(30);
    expect(second).toBe(first);
    await expect(run('terminal', '2100-01-01T00:01:00Z')).rejects.toThrow('Feeds exist up to 2100-01-01T00:00:00.000Z');
    const before = JSON.parse(await run('terminal', '2001-01-01T00:00:00Z'));
    expect(before.summary.evidence).toMatchObject({ receipts: 0, log_size: 0 });
  });

  // @covers RECOMPUTE-ARGUMENTS
  it('says which feeds and moments there are', async () => {
    for (const wrong of ['', 'disputes', 'Terminal', 'constructor']) {
      await expect(run(wrong, '2001-01-01T00:00:00Z')).rejects.toThrow(`There are: ${feedNames.join(', ')}.`);
    }
    for (const wrong of ['', 'now', '2001-01-01', '2001-02-30T00:00:00Z', '978307200']) {
      await expect(run('terminal', wrong)).rejects.toThrow('for example 2027-03-01T12:00:00Z');
    }
  });
});
