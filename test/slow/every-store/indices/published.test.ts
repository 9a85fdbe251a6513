import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertRows } from '../../../../projections/projection.js';
import { checkClose, type PublicClose } from '../../../../src/cli/recompute/check-close.js';
import { recomputePublic } from '../../../../src/cli/recompute/public.js';
import { noChain } from '../../../../src/domain/market/indices/chain.js';
import { closingOf, dayOf, dayText } from '../../../../src/domain/market/indices/days.js';
import { receiptRows } from '../../../../src/verifier/receipt-rows.js';
import { verifyBundle } from '../../../../src/verifier/verify.js';
import { ask } from '../../../http/ask.js';
import { owner } from '../../../http/people.js';
import { signedIn } from '../../../http/person.js';
import { laterWorld, type Service, startService, testWorld } from '../../../http/service.js';
import { taskReceipt } from '../../../http/task-receipt.js';
import { until } from '../../../support/until.js';

const today = dayOf(Date.now());

describe('closed days', () => {
  let service: Service;
  let ahead = 0;
  beforeAll(async () => {
    const settings = { OWNER_EMAIL: owner.email, OWNER_PASSWORD: owner.password, ANCHOR_INTERVAL: '168h' };
    service = await startService(settings, {
      ...laterWorld(testWorld, () => ahead),
      // The worker looks at the clock every 5 seconds.
      sleep: (ms, signal) => testWorld.sleep(ms === 5000 ? 50 : ms, signal),
    });
    await (await signedIn(service, owner)).call('PATCH', '/v1/workspace', { publish_task_receipts: true });
    for (const capability of ['code-review', 'search']) await submit({ capability, sector: 'build', vendor: 'Acme' });
    await submit({ vendor: 'Zeta' });
    // The second close is of a day without receipts.
    ahead = closingOf(today + 1) + 6000 - Date.now();
    await until(async () => (await get('/v1/terminal/closes')).json.data.length === 2);
  });
  afterAll(() => service.stop());

  const get = (path: string, headers: Record<string, string> = {}) =>
    ask(service.app.server.listeningOrigin, 'GET', path, { headers });
  const submit = async (market: object) => {
    const ended_at = new Date().toISOString();
    const extension = { schema: 'counterfoil-market/1', ...market };
    const receipt = taskReceipt({ started_at: ended_at, ended_at, cost_usd: 0.5, market: extension });
    const { status } = await service.call('POST', '/v1/receipts', receipt);
    expect(status).toBe(201);
  };

  // @covers CLOSE-FILES CLOSE-ENTRY
  it('are listed with their files, whose bytes have the hash that the public entries state', async () => {
    const { json } = await get('/v1/terminal/closes');
    expect(json.data.map(({ day }: { day: string }) => day)).toEqual([dayText(today + 1), dayText(today)]);
    expect(json.next_cursor).toBe(null);
    for (const { day, receipt_id, facts_hash } of json.data) {
      const file = await get(`/v1/terminal/closes/${day}`);
      expect(createHash('sha256').update(file.bytes).digest('hex')).toBe(facts_hash);
      expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(file.headers.get('access-control-allow-origin')).toBe('*');
      const known = { 'if-none-match': file.headers.get('etag') ?? '' };
      expect((await get(`/v1/terminal/closes/${day}`, known)).status).toBe(304);
      const entry = await get(`/v1/registry/receipts/${receipt_id}`);
      expect(entry.json.kind).toBe('index.closed');
      expect(entry.json.body).toMatchObject({ day, facts_hash, receipts: file.json.receipts, root: file.json.root });
      expect(Date.parse(entry.json.recorded_at)).toBeGreaterThanOrEqual(closingOf(today) + 5000);
    }
    const first = (await get(`/v1/terminal/closes/${dayText(today)}`)).json;
    expect(first).toMatchObject({ receipts: 3, total: { tasks: 3, notional_micros: '1500000' } });
    expect(first.capability_sectors).toEqual([
      { capability: 'code-review', sector: 'build' },
      { capability: 'search', sector: 'build' },
    ]);
  });

  // @covers CLOSE-RECOMPUTE CLOSE-ENTRY
  it('are recomputed by an outsider from files, entries and proofs', async () => {
    const { json: keys } = await get('/v1/ledger/keys');
    const key = [keys.data[0].verifier_key];
    const run = async (given: readonly string[]) => {
      const [out, err]: [string[], string[]] = [[], []];
      const terminal = { out: (text: string) => out.push(text), err: (text: string) => err.push(text) };
      const progress = { report: () => undefined, stop: () => undefined };
      const code = await recomputePublic(service.app.server.listeningOrigin, { key: given }, terminal, progress);
      return { code, text: [...out, ...err].join('\n') };
    };
    const { code, text } = await run(key);
    expect(code).toBe(0);
    expect(text).toMatch(/^2 days have closed: \S+ to \S+, without a gap\.$/m);
    expect(text).toMatch(/^files {11}verified {5}2 have the hashes/m);
    // CFX, CFX.BUILD, CFX.COST, CFX.REL, CFX.LAT and CFX.HHI of two days.
    expect(text).toMatch(/^levels {10}verified {5}12 follow/m);
    expect(text).toMatch(/^checkpoint {6}verified {5}of 2 entries$/m);
    expect(text).toMatch(/^inclusion {7}verified {5}of 2 entries$/m);
    expect(text).toContain('This cannot be checked from outside');
    expect((await run([])).text).toContain('No key of the log was given');
  });

  // @covers CLOSE-RECOMPUTE
  it('are wrong when a byte of a file, an entry or a level is another one', async () => {
    const { json } = await get('/v1/terminal/closes');
    const fetched = async (row: PublicClose['row']): Promise<PublicClose> => ({
      row,
      file: (await get(`/v1/terminal/closes/${row.day}`)).bytes,
      entry: (await get(`/v1/registry/receipts/${row.receipt_id}`)).json,
      proof: (await get(`/v1/registry/receipts/${row.receipt_id}/proof`)).bytes,
    });
    const [second, first]: PublicClose[] = await Promise.all(json.data.map(fetched));
    if (!first || !second) throw new Error('two days have closed');
    const { chain } = checkClose(noChain, first, []);
    expect(checkClose(chain, second, []).levels).toBe(6);
    const altered = Buffer.from(Buffer.from(first.file).toString().replace('"tasks":3', '"tasks":2'));
    const { body } = first.entry;
    const wrong: readonly (readonly [PublicClose, RegExp])[] = [
      [{ ...first, file: altered }, /its file has the hash/],
      [{ ...first, proof: second.proof }, /claim entry/],
      [{ ...first, row: { ...first.row, facts_hash: '0'.repeat(64) } }, /different things/],
      [{ ...first, entry: { ...first.entry, body: { ...Object(body), receipts: 4 } } }, /not the one that is proved/],
    ];
    for (const [close, fault] of wrong) expect(() => checkClose(noChain, close, [])).toThrow(fault);
    expect(() => checkClose(chain, first, [])).toThrow('does not follow');
    // Without the first day the second one has no level, and its entry states some.
    expect(() => checkClose(noChain, second, [])).toThrow(/base days|the level of/);
    const { receipt } = verifyBundle(first.proof, { keys: [] });
    const rows = receipt ? receiptRows(receipt) : null;
    expect(rows?.find(({ name }) => name === 'Day')?.values).toEqual([dayText(today)]);
    expect(rows?.find(({ name }) => name === 'Levels')?.values).toContain('CFX 1000');
    expect(rows?.find(({ name }) => name === 'Levels')?.values).toContain('CFX.KNOW has no level yet');
  });

  // @covers CLOSE-FILES ERR-close_not_found ERR-invalid_cursor
  it('have no file for a day that has not closed or is no day, and pages of 100', async () => {
    for (const day of [dayText(today - 1), dayText(today + 2), '2026-02-30', 'x', '2026-1-1', '%00']) {
      const { status, json } = await get(`/v1/terminal/closes/${day}`);
      expect([day, status, json.error.code]).toEqual([day, 404, 'close_not_found']);
    }
    expect((await get('/v1/terminal/closes?cursor=x')).json.error.code).toBe('invalid_cursor');
    const older = Array.from({ length: 150 }, (_, back) => ({
      day: dayText(today - 1 - back),
      receipt_id: `rcp_${String(back).padStart(32, '0')}`,
      recorded_ms: closingOf(today - 1 - back) + 5000,
      levels: '{}',
      receipts: 0,
      root: '',
      facts_hash: '0'.repeat(64),
    }));
    await service.app.database.transaction((tx) => insertRows(tx, 'closes', older));
    const page = (await get('/v1/terminal/closes')).json;
    const next = (await get(`/v1/terminal/closes?cursor=${page.next_cursor}`)).json;
    expect([page.data.length, next.data.length, next.next_cursor]).toEqual([100, 52, null]);
    const days = [...page.data, ...next.data].map(({ day }: { day: string }) => day);
    expect(days).toEqual([...days].sort().reverse());
    expect(new Set(days).size).toBe(152);
  });
});
