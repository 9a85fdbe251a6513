import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { administration } from '../../http/keys.js';
import { type Service, startService } from '../../http/service.js';
import { stores } from '../../support/stores.js';

/** Memories that are not valid any more, from outside. The same on every store. */
describe.each(stores)('invalidated memories on %s', () => {
  let service: Service;
  let call: Service['call'];
  beforeAll(async () => {
    service = await startService();
    call = service.call;
  });
  afterAll(() => service.stop());

  const add = async (content: string): Promise<string> =>
    (await call('POST', '/v1/memories', { content })).json.memory_id;
  const invalidate = (id: string, body: unknown, headers?: Record<string, string>) =>
    call('POST', `/v1/memories/${id}/invalidate`, body, headers);
  const reinstate = (id: string, headers?: Record<string, string>) =>
    call('POST', `/v1/memories/${id}/reinstate`, undefined, headers);
  const search = async (query: string, filters: object = {}): Promise<Hit[]> =>
    (await call('POST', '/v1/memories/search', { query, filters })).json.data;
  const code = async (asked: ReturnType<typeof call>) => (await asked).json.error?.code;

  // @covers ADD-PROMOTES ADD-DUPLICATE-IGNORED
  it('that are test memories are found when their text is written as a real one, no matter what searches remember', async () => {
    const content = 'Oda keeps bees behind the chapel.';
    const test = await call('POST', '/v1/memories', { content, playground: true, source: 'try' });
    const { memory_id: id } = test.json;
    await service.settled();
    const found = async () => (await search('Oda bees chapel')).map((hit) => hit.memory_id);
    const listed = async () =>
      (await call('GET', '/v1/memories?q=chapel')).json.data.map((one: { id: string }) => one.id);
    expect([await found(), await found(), await found(), await listed()]).toEqual([[], [], [], []]);
    const real = await call('POST', '/v1/memories', { content, source: 'chat' });
    const receipt = { promotion_receipt_id: expect.stringMatching(/^rcp_/) };
    expect([real.status, real.json]).toEqual([
      200,
      {
        ...test.json,
        memory_id: id,
        duplicate: true,
        stage: 'done',
        ignored: ['source'],
        ...receipt,
      },
    ]);
    expect([await found(), await listed()]).toEqual([[id], [id]]);
    expect((await call('GET', `/v1/memories/${id}`)).json).toMatchObject({ playground: false, source: 'try' });
    const entry = (await call('GET', `/v1/receipts/${real.json.promotion_receipt_id}`)).json;
    expect(entry).toMatchObject({ kind: 'memory.promoted', body: { memory_id: id } });
  });

  // @covers INVALID-SHOWN INVALID-SEARCH INVALID-SEARCH-AGAIN INVALID-DUPLICATE
  it('are shown with the reason, left out of searches unless these ask for them, and found again when reinstated', async () => {
    const [porto, lisbon] = [await add('Ada lives in Porto by the river.'), await add('Ada lives in Lisbon now.')];
    await service.settled();
    const found = async (filters: object = {}) =>
      (await search('Ada lives', filters)).map((hit) => hit.memory_id).sort();
    expect(await found()).toEqual([porto, lisbon].sort());
    expect((await call('GET', `/v1/memories/${porto}`)).json.invalidated).toBeNull();
    const reason = 'She has moved. Write to ada@example.org.';
    const done = await invalidate(porto, { reason, superseded_by: lisbon.toUpperCase() });
    expect(done.json).toEqual({ id: porto, invalidated: true, receipt_id: expect.stringMatching(/^rcp_/) });
    const invalidated = {
      at: expect.stringMatching(/^2\d{3}-.*Z$/),
      reason: 'She has moved. Write to [redacted].',
      by: { user_id: null, agent_id: null, app_id: 'bootstrap', run_id: null },
      receipt_id: done.json.receipt_id,
      superseded_by: lisbon,
    };
    expect((await call('GET', `/v1/memories/${porto}`)).json).toMatchObject({ status: 'ready', invalidated });
    for (const list of ['/v1/memories?q=Porto', '/v1/memories', '/v1/memories/export']) {
      const { json } = await call('GET', list);
      expect(json.data.find(({ id }: { id: string }) => id === porto)).toMatchObject({ invalidated });
    }
    // The second time, the search knows from the first one which memories fail.
    expect([await found(), await found(), await found()]).toEqual([[lisbon], [lisbon], [lisbon]]);
    const [hit] = await search('Porto river', { include_invalidated: true });
    expect(hit).toMatchObject({ memory_id: porto, invalidated });
    expect(hit?.why).toMatch(/ It was invalidated on 2[-\d]{9}: "She has moved\. Write to \[redacted\]\."\.$/);
    const again = await call('POST', '/v1/memories', { content: 'Ada lives in Porto by the river.' });
    expect([again.status, again.json]).toMatchObject([200, { memory_id: porto, duplicate: true, invalidated: true }]);
    expect((await reinstate(porto)).json).toMatchObject({ id: porto, invalidated: false });
    expect(await found()).toEqual([porto, lisbon].sort());
    expect((await search('Porto river'))[0]).not.toHaveProperty('invalidated');
    expect((await call('GET', `/v1/memories/${porto}`)).json.invalidated).toBeNull();
  });

  // @covers INVALID-SEARCH-AGAIN
  it('are found again although a search remembers that they failed, which it does when many fail', async () => {
    const [first = '', ...others] = await Promise.all(Array.from({ length: 60 }, (_, n) => add(`finch number ${n}`)));
    await service.settled();
    for (const id of others) await invalidate(id, { reason: 'miscounted' });
    const found = async () => (await search('finch number')).map((hit) => hit.memory_id);
    expect([await found(), await found()]).toEqual([[first], [first]]);
    // Lists show them all, also after many were compared.
    const listed = async () => (await call('GET', '/v1/memories?q=finch+number&limit=100')).json.data.length;
    expect([await listed(), await listed()]).toEqual([60, 60]);
    const [again = ''] = others;
    await reinstate(again);
    expect((await found()).sort()).toEqual([first, again].sort());
  });

  // @covers INVALID-PROOF INVALID-ERASED
  it('have a receipt whose bundle discloses the reason until the memory is deleted', async () => {
    const id = await add('a fact that was wrong');
    const { receipt_id } = (await invalidate(id, { reason: 'No one has ever said so.' })).json;
    const proof = async () => (await call('GET', `/v1/receipts/${receipt_id}/proof`)).json;
    const content = async () => {
      const { json } = await call('POST', '/v1/receipts/verify', await proof());
      return json.claims.find(({ name }: { name: string }) => name === 'content').state;
    };
    const { json: receipt } = await call('GET', `/v1/receipts/${receipt_id}`);
    expect(receipt).toMatchObject({ kind: 'memory.invalidated', body: { memory_id: id } });
    expect(JSON.stringify(receipt)).not.toContain('ever said');
    expect(JSON.stringify(await proof())).toContain('ever said');
    expect(await content()).toBe('verified');
    expect((await call('DELETE', `/v1/memories/${id}`)).status).toBe(200);
    expect(JSON.stringify(await proof())).not.toContain('ever said');
    expect(await content()).toBe('absent');
  });

  // @covers INVALID-REFUSALS INVALID-TWICE INVALID-REINSTATE ERR-invalid_reason ERR-invalid_superseded_by
  // @covers ERR-memory_invalidated ERR-memory_not_invalidated
  it('obey scopes and namespaces, and take nothing wrong', async () => {
    const id = await add('to be invalidated once');
    const admin = administration(service);
    const { workspaceId } = await admin.first();
    const second = await admin.namespace(workspaceId, 'second');
    const auth = async (given: { namespaceIds: string[]; scopes?: string[] }) => ({
      authorization: `Bearer ${await admin.key(workspaceId, given)}`,
    });
    const elsewhere = await auth({ namespaceIds: [second] });
    const reader = await auth({ namespaceIds: [second], scopes: ['memory.read'] });
    const reason = 'wrong';
    expect(await code(invalidate(id, { reason }, elsewhere))).toBe('memory_out_of_scope');
    expect(await code(reinstate(id, elsewhere))).toBe('memory_out_of_scope');
    expect(await code(invalidate(id, { reason }, reader))).toBe('insufficient_scope');
    for (const unknown of ['x', '00000000-0000-7000-8000-000000000000']) {
      expect(await code(invalidate(unknown, { reason }))).toBe('memory_not_found');
      expect(await code(reinstate(unknown))).toBe('memory_not_found');
    }
    for (const wrong of [
      {},
      { reason: '' },
      { reason: ' \n' },
      { reason: 7 },
      { reason: 'é'.repeat(1025) },
      { reason: '\0' },
    ]) {
      expect([wrong, await code(invalidate(id, wrong))]).toEqual([wrong, 'invalid_reason']);
    }
    for (const superseded_by of ['x', 7, id]) {
      expect(await code(invalidate(id, { reason, superseded_by }))).toBe('invalid_superseded_by');
    }
    expect(await code(reinstate(id))).toBe('memory_not_invalidated');
    const key = { 'idempotency-key': 'invalid-1' };
    const [first, repeated] = [await invalidate(id, { reason }, key), await invalidate(id, { reason }, key)];
    expect([first.status, repeated.json]).toEqual([200, first.json]);
    expect((await invalidate(id, { reason })).json.error).toMatchObject({
      code: 'memory_invalidated',
      details: { receipt_id: first.json.receipt_id },
    });
  });
});

interface Hit {
  readonly memory_id: string;
  readonly why: string;
}
