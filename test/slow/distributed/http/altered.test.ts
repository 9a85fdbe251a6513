import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { lexicalEmbedder } from '../../../../src/adapters/embeddings/lexical.js';
import { fsck } from '../../../../src/maintenance/fsck.js';
import { rebuildables } from '../../../../src/maintenance/rebuildable.js';
import { useHooks } from '../../../http/hooks.js';
import { code } from '../../../http/people.js';
import { status } from '../../../http/receiver.js';
import { giveJobs } from '../../../support/given-jobs.js';
import { stores } from '../../../support/stores.js';
import { eventually } from '../../../support/until.js';

type Column = 'content' | 'metadata' | 'source';
type Listed = { id: string; memory_id: string };

/** Texts that were changed in the database, by someone who can write to it. The same on every store. */
describe.each(stores)('texts that were changed behind the service on %s', () => {
  const hooks = useHooks();
  const call = (method: string, path: string, body?: unknown) => hooks.as('owner').call(method, path, body);
  const sql = <R extends Record<string, unknown>>(text: string, params: string[] = []) =>
    hooks.service().app.database.transaction((tx) => tx.query<R>(text, params));
  const receiptOf = async (id: string) =>
    (await sql<{ id: string }>('select receipt_id as id from memories where id = $1::uuid', [id]))[0]?.id ?? '';
  /** @returns what puts it back */
  async function change(receipt: string, column: Column, text: string): Promise<() => Promise<unknown>> {
    const [kept] = await sql<{ text: string }>(`select ${column} as text from vault where receipt_id = $1`, [receipt]);
    const put = (now: string) => sql(`update vault set ${column} = $2 where receipt_id = $1`, [receipt, now]);
    await put(text);
    return () => put(kept?.text ?? '');
  }
  /** Everything that every page of a list holds, one memory a page. */
  async function all(path: string): Promise<string[]> {
    const ids: string[] = [];
    let cursor: string | null = null;
    do {
      const { json } = await call('GET', `${path}${cursor ? `&cursor=${cursor}` : ''}`);
      ids.push(...json.data.map((one: Listed) => one.id));
      cursor = json.next_cursor;
    } while (cursor);
    return ids;
  }
  const alarms = async () => {
    // Metrics are computed once a second.
    await pause(1001);
    const { text } = await hooks.service().call('GET', '/metrics');
    return Number(/^counterfoil_altered_contents_total (\d+)$/m.exec(text)?.[1]);
  };
  const found = async (query: string) =>
    (await call('POST', '/v1/memories/search', { query })).json.data.map((one: Listed) => one.memory_id);
  const check = () =>
    fsck(hooks.service().app.database, rebuildables(lexicalEmbedder()), { onProgress: () => undefined });

  it.each([
    ['content', 'The ferry leaves at nine, they say.'],
    ['metadata', '{"forged":true}'],
    ['source', 'forged'],
  ] as const)('shows no memory whose %s was changed, and all others', async (column, text) => {
    const write = (n: number) =>
      hooks.write(`The ${column} ferry leaves at ${n}.`, { source: 'port', metadata: { n } });
    const ids = [await write(7), await write(8), await write(9)];
    await hooks.settled();
    const [first = '', altered = '', last = ''] = ids;
    const receipt = await receiptOf(altered);
    const before = await alarms();
    const restore = await change(receipt, column, text);
    expect(code(await call('GET', `/v1/memories/${altered}`))).toEqual([500, 'internal_error']);
    expect(code(await call('GET', `/v1/receipts/${receipt}/proof`))).toEqual([500, 'internal_error']);
    for (const id of [first, last]) {
      expect((await call('GET', `/v1/memories/${id}`)).status).toBe(200);
      expect((await call('GET', `/v1/receipts/${await receiptOf(id)}/proof`)).status).toBe(200);
    }
    const sound = (shown: string[]) => shown.filter((id) => ids.includes(id)).sort();
    expect(sound(await all('/v1/memories?limit=1'))).toEqual([first, last]);
    expect(sound(await all(`/v1/memories?limit=1&q=${column}%20ferry`))).toEqual([first, last]);
    expect(sound(await all('/v1/memories/export?limit=1'))).toEqual([first, last]);
    expect(sound(await found(`${column} ferry`))).toEqual([first, last]);
    const jobs = (await call('GET', '/v1/ingest?limit=3')).json.data;
    const labels = jobs.map(({ source, label }: { source: string; label: string }) => [source, label]);
    expect(labels).toEqual([
      ['port', `The ${column} ferry leaves at 9.`],
      [null, ''],
      ['port', `The ${column} ferry leaves at 7.`],
    ]);
    expect(await alarms()).toBe(before + 7);
    const lines = hooks.service().logged.filter((line) => line.includes(receipt));
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ level: 50, receipt_id: receipt, fault: expect.stringContaining(`its ${column}`) }),
    );
    for (const line of lines) for (const hidden of ['ferry', 'forged']) expect(line).not.toContain(hidden);
    expect((await check()).faults).toContain(`does not open the commitment to its ${column}`);
    await restore();
    expect((await call('GET', `/v1/memories/${altered}`)).status).toBe(200);
    expect(sound(await all('/v1/memories?limit=1'))).toEqual([...ids].sort());
    expect((await check()).faults).toBeNull();
  });

  it('looks at the whole of long texts in lists, a part of a page at a time', async () => {
    const long = (name: string) => `Whale song of ${name}. ${'la '.repeat(140_000)}`;
    const ids = [];
    for (const name of ['Ann', 'Bob', 'Eve']) ids.push(await hooks.write(long(name)));
    await hooks.settled();
    // The oldest is the last on the page, and the one that no longer comes with the rows.
    const [altered = '', second = '', last = ''] = ids;
    const excerpts = async () => {
      const { data } = (await call('GET', '/v1/memories?limit=3')).json;
      return data.map(({ id, excerpt }: { id: string; excerpt: string }) => [id, excerpt.slice(0, 17)]);
    };
    expect(await excerpts()).toEqual([
      [last, 'Whale song of Eve'],
      [second, 'Whale song of Bob'],
      [altered, 'Whale song of Ann'],
    ]);
    const restore = await change(await receiptOf(altered), 'content', `${long('Ann')}!`);
    expect(await excerpts()).toEqual([
      [last, 'Whale song of Eve'],
      [second, 'Whale song of Bob'],
    ]);
    await restore();
  });

  it('does not index it: the job fails and says why, and a retry takes it once it is put right', async () => {
    const id = await hooks.write('An albatross follows the ship.');
    await hooks.settled();
    const receipt = await receiptOf(id);
    const restore = await change(receipt, 'content', 'A submarine follows the ship.');
    await hooks.service().app.database.transaction(giveJobs);
    const [job] = await sql<{ id: string }>(
      `update jobs set stage = 'queued' where memory_id = $1::uuid returning job_id::text as id`,
      [id],
    );
    const ended = (stage: string) =>
      eventually(async () => {
        const { json } = await call('GET', `/v1/ingest/${job?.id}`);
        return json.stage === stage && json;
      });
    expect(await ended('failed')).toMatchObject({
      failure_reason: 'the stored text is not what its receipt commits to',
      attempts: 1,
    });
    expect(await found('submarine')).toEqual([]);
    await restore();
    expect((await call('POST', `/v1/ingest/${job?.id}/retry`)).status).toBe(202);
    await ended('done');
    expect(await found('albatross')).toEqual([id]);
  });

  it('takes it out of the index when it is moved', async () => {
    const namespace = await hooks.namespaceNamed('aquarium');
    const [altered, other] = [
      await hooks.write('The eel sleeps.', { namespace: 'aquarium' }),
      await hooks.write('The carp sleeps.', { namespace: 'aquarium' }),
    ];
    await hooks.settled();
    const restore = await change(await receiptOf(altered), 'content', 'The shark sleeps.');
    expect((await call('DELETE', `/v1/namespaces/${namespace}?move_to=default`)).status).toBe(200);
    const indexed = await sql<{ id: string }>(
      'select memory_id::text as id from search_documents where memory_id in ($1::uuid, $2::uuid)',
      [altered, other],
    );
    expect(indexed).toEqual([{ id: other }]);
    await restore();
  });

  it('notifies no webhook of it, and sends nothing to an address that was changed', async () => {
    const agent = await hooks.agent();
    const { id } = await hooks.hook(agent, '/true', { source: 'tide' });
    const receiver = hooks.receiver();
    receiver.answer(status(500));
    const memory = await hooks.write('The tide turns.', { source: 'tide' });
    await hooks.delivery(agent, id, (one) => one.attempts === 1);
    receiver.answer(status(204));
    const [hook] = await sql<{ receipt: string; content: string }>(
      'select w.receipt_id as receipt, v.content from webhooks w join vault v using (receipt_id) where w.id = $1::uuid',
      [id],
    );
    const elsewhere = (hook?.content ?? '').replace('/true', '/elsewhere');
    for (const [receipt, text] of [
      [await receiptOf(memory), 'The tide stays.'],
      [hook?.receipt ?? '', elsewhere],
    ] as const) {
      const restore = await change(receipt, 'content', text);
      const [delivery] = (await hooks.by(agent, 'GET', `/v1/webhooks/${id}/deliveries`)).json.data;
      const again = `/v1/webhooks/${id}/deliveries/${delivery.id}/redeliver`;
      expect((await hooks.by(agent, 'POST', again)).status).toBe(202);
      const dead = await hooks.delivery(agent, id, (one) => one.state === 'dead');
      expect(dead.last_error).toContain('not what its receipt commits to');
      await restore();
    }
    expect(receiver.received.map(({ path }) => path)).toEqual(['/true']);
    const path = `/v1/webhooks/${id}/deliveries/${(await hooks.by(agent, 'GET', `/v1/webhooks/${id}/deliveries`)).json.data[0].id}/redeliver`;
    await hooks.by(agent, 'POST', path);
    await hooks.delivery(agent, id, (one) => one.state === 'delivered');
    expect((await hooks.record(agent, id)).status).toBe('active');
  });
});
