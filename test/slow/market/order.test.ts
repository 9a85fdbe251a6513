import { describe, expect, it } from 'vitest';
import { economy } from '../../market/economy.js';
import { cutToMinute, feedsOf, follow, marketAt, momentAt, shuffled } from '../../market/live.js';
import { random } from '../../market/random.js';
import { repeats } from '../../support/repeats.js';

const [minute, day] = [60_000, 86_400_000];

/** The bytes of every feed depend on receipts and on the moment, and on nothing else. */
describe('the bytes of all feeds', () => {
  const seeds = Array.from({ length: repeats('ECONOMIES') / 4 }, (_, at) => 100 + at);

  // @covers FEEDS-ORDER
  it.each(seeds)('are the same for every order of arrival (economy %i)', (seed) => {
    const values = random(seed);
    const { receipts, untilMs } = economy({ seed, receipts: 400 });
    const t = cutToMinute(untilMs - values.whole(3 * day));
    const moment = momentAt(t, receipts);
    const expected = feedsOf(marketAt(t, receipts), moment);
    for (const order of [shuffled(receipts, values), [...receipts].reverse()]) {
      expect(feedsOf(marketAt(t, order), moment)).toEqual(expected);
    }
  });

  // @covers FEEDS-BATCHES
  it.each(seeds)('are the same minute by minute, in any batches, as from the beginning (economy %i)', (seed) => {
    const values = random(seed);
    const { receipts, fromMs } = economy({ seed, receipts: 400 });
    const followed = follow(receipts, cutToMinute(fromMs));
    const steps = [minute, 10 * minute, day, 3 * day, day, 9 * day, 0, 20 * day, 15 * day, minute, 40 * day];
    for (const step of steps) {
      const t = followed.market.t + cutToMinute(values.whole(step) + step / 2);
      followed.advance(t, values);
      const moment = momentAt(t, receipts);
      expect(feedsOf(followed.market, moment)).toEqual(feedsOf(marketAt(t, receipts), moment));
    }
  });

  // @covers FEEDS-EMPTY
  it('show nothing of a workspace that does not publish, and are well formed without receipts', () => {
    const { entries, receipts, untilMs } = economy({ seed: 3, receipts: 200 });
    expect(receipts.length).toBeLessThan(entries.length);
    const hidden = entries.filter(({ entry }) => entry.body.publication === null).map(({ hash }) => hash);
    const t = cutToMinute(untilMs);
    const text = Object.values(feedsOf(marketAt(t, receipts), momentAt(t, receipts))).join();
    expect(hidden.filter((hash) => text.includes(hash))).toEqual([]);
    const empty = feedsOf(marketAt(t, []), momentAt(t, []));
    for (const [name, feed] of Object.entries(empty)) {
      const { summary, stats } = JSON.parse(feed);
      expect([name, (summary ?? stats).evidence.receipts, (summary ?? stats).as_of]).toEqual([
        name,
        0,
        new Date(t).toISOString(),
      ]);
    }
  });
});
