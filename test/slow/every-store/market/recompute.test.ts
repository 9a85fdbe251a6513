import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { program } from '../../../faults/service-process.js';
import { economy } from '../../../market/economy.js';
import { cutToMinute } from '../../../market/live.js';
import { random } from '../../../market/random.js';
import { type MarketService, openMarketService, type Participant } from '../../../market/served.js';
import { preparedStoreAddress, type StoreAddress } from '../../../support/new-store.js';
import { repeats } from '../../../support/repeats.js';
import { stores } from '../../../support/stores.js';

const run = promisify(execFile);
const [hour, day] = [3_600_000, 86_400_000];

/** Everything that the service has answered at moments, against what another process computes from the entries of its store. */
describe.each(stores)('recompute on %s', () => {
  const values = random(17);
  const answers = new Map<number, Readonly<Record<string, string>>>();
  let address: StoreAddress;
  let market: MarketService;
  let files: string;

  beforeAll(async () => {
    address = await preparedStoreAddress();
    files = mkdtempSync(join(tmpdir(), 'counterfoil-clock-'));
    market = await openMarketService(settings());
  });
  afterAll(async () => {
    await address.remove();
    rmSync(files, { recursive: true, force: true });
  });

  const settings = (): Record<string, string> =>
    address.store.kind === 'server'
      ? { DATA_DIR: address.directory, DATABASE_URL: address.store.url }
      : { DATA_DIR: address.directory };

  /** The command in a process whose clock is as far ahead as that of the service. */
  async function recompute(feed: string, t: number): Promise<string> {
    const clock = join(files, 'clock.mjs');
    const ahead = market.now() - Date.now();
    writeFileSync(
      clock,
      `const Real = Date; globalThis.Date = class extends Real {
        constructor(...given) { super(...(given.length === 0 ? [Real.now() + ${ahead}] : given)); }
        static now() { return Real.now() + ${ahead}; }
      };`,
    );
    const args = [
      '--import',
      pathToFileURL(clock).href,
      ...program,
      'recompute',
      feed,
      '--at',
      new Date(t).toISOString(),
    ];
    const { stdout } = await run(process.execPath, args, {
      env: { PATH: process.env.PATH ?? '', ...settings() },
      maxBuffer: 64 * 1024 * 1024,
    });
    return stdout;
  }

  it('has a service through which a random economy has passed', async () => {
    const made = economy({ seed: 41, receipts: repeats('RECOMPUTED'), days: 45, fromMs: Date.now() + hour });
    const participants = new Map<string, Participant>();
    for (const id of new Set(made.entries.map(({ entry }) => entry.workspace_id))) {
      const participant = await market.participant();
      await participant.link('@ann');
      participants.set(id, participant);
    }
    const moments = new Set(Array.from({ length: repeats('MOMENTS') }, () => values.whole(made.entries.length)));
    const shows = new Map<string, boolean>();
    for (const [at, { entry }] of made.entries.entries()) {
      const participant = participants.get(entry.workspace_id);
      const [recordedMs, isPublic] = [Date.parse(entry.recorded_at), entry.body.publication !== null];
      if (recordedMs > market.now()) market.setClock(recordedMs);
      if (shows.get(entry.workspace_id) !== isPublic) await participant?.publish(isPublic);
      shows.set(entry.workspace_id, isPublic);
      const { status, json } = (await participant?.submit(entry.body.task)) ?? {};
      if (status !== 201) throw new Error(JSON.stringify(json));
      if (!moments.has(at)) continue;
      const t = cutToMinute(market.now()) + 60_000;
      answers.set(t, await market.feedsAt(t));
    }
    const t = cutToMinute(market.now() + 2 * day);
    answers.set(t, await market.feedsAt(t));
    expect(JSON.parse(answers.get(t)?.terminal ?? '').summary.evidence.receipts).toBeGreaterThan(50);
  });

  // @covers RECOMPUTE-BYTES
  it('gives byte for byte what the service gave', async () => {
    await market.stop();
    for (const [t, feeds] of answers) {
      for (const [name, text] of Object.entries(feeds)) {
        expect([name, t, await recompute(name, t)]).toEqual([name, t, `${text}\n`]);
      }
    }
  });
});
