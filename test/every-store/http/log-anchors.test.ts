import { beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../../http/ask.js';
import { prove } from '../../http/log-reader.js';
import { code, usePeople } from '../../http/people.js';
import { stores } from '../../support/stores.js';

const path = '/v1/ledger/anchors';

/** The checkpoints of the log with their witnesses and anchors, for everyone. The same on every store. */
describe.each(stores)('anchors of the log on %s', () => {
  const people = usePeople({ ANCHOR_INTERVAL: '168h' });
  const fetched = (query = '', headers: Record<string, string> = {}) =>
    ask(people.service().app.server.listeningOrigin, 'GET', `${path}${query}`, { headers });
  const sizes = ({ json }: { json: { data: { size: number }[] } }) => json.data.map(({ size }) => size);
  /** Rows as the workers that anchor write them, because no calendar and no chain is there. */
  const sql = (text: string, parameters: (string | number)[]) =>
    people.service().app.database.transaction((tx) => tx.query(text, parameters));

  beforeAll(async () => {
    for (const content of ['one', 'two', 'three']) await prove(people.service(), content);
  });

  it('are shown to anyone, the newest checkpoint first, as the log has signed it', async () => {
    const reply = await fetched();
    expect([reply.status, reply.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
    const [newest] = reply.json.data;
    const note = await ask(people.service().app.server.listeningOrigin, 'GET', '/v1/ledger/checkpoint');
    expect(newest).toEqual({
      size: Number(note.text.split('\n')[1]),
      root: Buffer.from(note.text.split('\n')[2] ?? '', 'base64').toString('hex'),
      signed_at: expect.any(String),
      note: note.text,
      witnesses: [],
      opentimestamps: { state: 'pending', submitted_at: null, height: null, block_hash: null, block_time: null },
      ethereum: null,
    });
    expect(sizes(reply)).toEqual([...sizes(reply)].sort((a, b) => b - a));
    expect(reply.text).not.toMatch(/workspace|tag_key/);
  });

  it('are read page by page, and again only when they have changed', async () => {
    const all = sizes(await fetched());
    expect(all.length).toBeGreaterThanOrEqual(3);
    const seen: number[] = [];
    for (let query = '?limit=1'; ; ) {
      const page = await fetched(query);
      seen.push(...sizes(page));
      if (page.json.next_cursor === null) break;
      query = `?limit=1&cursor=${page.json.next_cursor}`;
    }
    expect(seen).toEqual(all);
    const etag = (await fetched()).headers.get('etag') ?? '';
    expect((await fetched('', { 'if-none-match': etag })).status).toBe(304);
    await prove(people.service(), 'four');
    expect((await fetched('', { 'if-none-match': etag })).status).toBe(200);
  });

  it('show the state of each anchor', async () => {
    const [size = 0] = sizes(await fetched());
    const time = '2026-05-28T20:26:40.000Z';
    const hash = 'ab'.repeat(32);
    await sql(
      `insert into anchors (size, type, state, digest, submitted_at, heights, height, block_hash, block_time, losses)
       values ($1, 'opentimestamps', 'confirmed', $2, $3, '{900000}', 900000, $2, $3, 0)`,
      [size, hash, time],
    );
    const [contract, block] = [`0x${'cd'.repeat(20)}`, `0x${hash}`];
    await sql(
      `insert into ethereum_anchors (size, state, digest, chain_id, contract, tx_hash, block_number, block_hash, block_time)
       values ($1, 'final', $2, 1, $3, $4, 77, $4, $5)`,
      [size, hash, contract, block, time],
    );
    const [newest, before] = (await fetched()).json.data;
    expect(newest.opentimestamps).toEqual({
      state: 'confirmed',
      submitted_at: time,
      height: 900_000,
      block_hash: hash,
      block_time: time,
    });
    expect(newest.ethereum).toEqual({
      state: 'unproved',
      chain_id: 1,
      contract,
      tx_hash: block,
      block_number: 77,
      block_hash: block,
      block_time: time,
    });
    expect(before.ethereum).toBeNull();
  });

  it('take no query that is wrong, and no cursor of another list', async () => {
    const keys = (await people.as('owner').call('GET', '/v1/receipts?limit=1')).json.next_cursor;
    for (const cursor of ['', 'x', keys]) {
      expect(code(await fetched(`?cursor=${cursor}`))).toEqual([400, 'invalid_cursor']);
    }
    for (const query of ['?limit=0', '?limit=1000', '?limit=x', '?before=3']) {
      expect(code(await fetched(query))).toEqual([400, 'invalid_request']);
    }
  });
});
