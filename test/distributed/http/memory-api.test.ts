import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from '../../http/service.js';
import { onEngines, stores } from '../../support/stores.js';

/** The behaviour of the memory API from outside. The same on every store. */
describe.each(stores)('memory API on %s', () => {
  let service: Service;
  let call: Service['call'];
  beforeAll(async () => {
    service = await startService();
    call = service.call;
  });
  afterAll(() => service.stop());

  const add = async (content: string, more: object = {}) => {
    const { status, json } = await call('POST', '/v1/memories', { content, ...more });
    expect(status).toBe(202);
    return json.memory_id as string;
  };
  const refused = async (code: string, status: number, ...request: Parameters<Service['call']>) => {
    const reply = await call(...request);
    expect([reply.status, reply.json?.error?.code, typeof reply.json?.error?.message]).toEqual([
      status,
      code,
      'string',
    ]);
    expect(reply.json.error.details).toBeTypeOf('object');
  };

  // @covers MEM-CONTENT-WHOLE MEM-CONTENT-HASH MEM-METADATA-VERBATIM MEM-PROVENANCE-RUN MEM-STATUS ADD-ACCEPTED
  // @covers SEARCH-READY JOB-STAGES JOB-TERMINAL JOB-DONE JOB-RETRY-REFUSED ERR-job_not_retryable
  it('takes a memory through to searchable, and gives back what was sent', async () => {
    const metadata = '{"b":1.0,"a":[1e400,"é"],"10":12345678901234567890,"9":null}';
    const body = `{"content":"Grace keeps bees on the roof.","metadata":${metadata},"source":"notes"}`;
    const accepted = await call('POST', '/v1/memories', body, { 'x-service-run': 'run-1' });
    expect(accepted.status).toBe(202);
    expect(accepted.json).toMatchObject({ duplicate: false, stage: 'queued' });
    await service.settled();
    const got = await call('GET', `/v1/memories/${accepted.json.memory_id}`);
    expect(got.text).toContain(`"metadata":${metadata}`);
    expect(got.json).toMatchObject({
      content: 'Grace keeps bees on the roof.',
      content_hash: createHash('sha256').update('Grace keeps bees on the roof.').digest('hex'),
      source: 'notes',
      status: 'ready',
      playground: false,
      provenance: { user_id: null, agent_id: null, app_id: 'bootstrap', run_id: 'run-1' },
    });
    const job = await call('GET', `/v1/ingest/${accepted.json.job_id}`);
    expect(job.json).toMatchObject({ stage: 'done', terminal: true, stalled: false, poll_after_ms: null });
    // Where ledger and index are the service's own, it is indexed with its write.
    const steps = onEngines ? ['extracting', 'chunking', 'embedding', 'indexing'] : [];
    expect(Object.keys(job.json.stage_timestamps).sort()).toEqual(['queued', ...steps, 'done'].sort());
    await refused('job_not_retryable', 409, 'POST', `/v1/ingest/${accepted.json.job_id}/retry`);
  });

  // @covers ADD-DUPLICATE ADD-AFTER-DELETE DEL-ANSWER
  it('knows the same content again, and takes it as new after a delete', async () => {
    const first = await call('POST', '/v1/memories', { content: 'only once' });
    const second = await call('POST', '/v1/memories', { content: 'only once', metadata: { other: 1 } });
    expect(second.status).toBe(200);
    expect(second.json).toMatchObject({
      duplicate: true,
      memory_id: first.json.memory_id,
      job_id: first.json.job_id,
    });
    const gone = await call('DELETE', `/v1/memories/${first.json.memory_id}`);
    expect(gone.json).toMatchObject({ id: first.json.memory_id, deleted: true });
    const third = await call('POST', '/v1/memories', { content: 'only once' });
    expect([third.status, third.json.duplicate]).toEqual([202, false]);
  });

  // @covers ADD-DUPLICATE-TOGETHER
  it('decides equal contents that arrive together one after the other', async () => {
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => call('POST', '/v1/memories', { content: 'at once' })),
    );
    expect(replies.filter((reply) => reply.status === 202)).toHaveLength(1);
    expect(new Set(replies.map((reply) => reply.json.memory_id)).size).toBe(1);
  });

  // @covers MEM-RECEIPT ADD-RECEIPT DEL-ANSWER DEL-RECEIPT-KEPT SEARCH-RECALL-PRIVATE
  it('answers every write, delete and search with a receipt that hashes to what it says', async () => {
    const id = await add('a memory to be deleted');
    const { json: memory } = await call('GET', `/v1/memories/${id}`);
    const write = await call('GET', `/v1/receipts/${memory.receipt_id}`);
    expect(write.json).toMatchObject({ kind: 'memory.write', body: { memory_id: id } });
    const { json: deleted } = await call('DELETE', `/v1/memories/${id}`);
    const erased = await call('GET', `/v1/receipts/${deleted.receipt_id}`);
    expect(erased.json.body).toMatchObject({
      write_receipt_id: memory.receipt_id,
      write_receipt_hash: write.json.hash,
    });
    expect((await call('GET', `/v1/receipts/${memory.receipt_id}`)).json.hash).toBe(write.json.hash);
    const { json: search } = await call('POST', '/v1/memories/search', {
      query: 'nothing like this was written: zzyzx',
    });
    const recall = await call('GET', `/v1/receipts/${search.receipt_id}`);
    expect(recall.json).toMatchObject({ kind: 'memory.recall', hash: search.receipt_hash });
    expect(recall.text).not.toContain('zzyzx');
    const list = await call('GET', '/v1/receipts?limit=100');
    const seqs: number[] = list.json.data.map((receipt: { seq: number }) => receipt.seq);
    expect(seqs).toEqual([...seqs].sort((a, b) => b - a));
  });

  // @covers DEL-GONE DEL-TWICE
  it('forgets a deleted memory everywhere', async () => {
    const id = await add('the xylophone of Quetzalcoatl');
    await service.settled();
    const before = await call('POST', '/v1/memories/search', { query: 'xylophone' });
    expect(before.json.data[0].memory_id).toBe(id);
    await call('DELETE', `/v1/memories/${id}`);
    await refused('memory_not_found', 404, 'GET', `/v1/memories/${id}`);
    await refused('memory_not_found', 404, 'DELETE', `/v1/memories/${id}`);
    const after = await call('POST', '/v1/memories/search', { query: 'xylophone' });
    expect(after.text).not.toContain('Quetzalcoatl');
    expect((await call('GET', '/v1/memories?q=xylophone')).json.data).toEqual([]);
  });

  // @covers SEARCH-WHY SEARCH-SCRIPTS SEARCH-NEIGHBOURS
  it('finds words of every script, misspelt words, and what was written next to a match', async () => {
    await add('私は東京でコーヒーを飲みました');
    await add('ฉันชอบกินข้าวผัด');
    await add('Das Fahrradgeschäft öffnet früh', { metadata: { lang: 'de' } });
    await add('Did you finish the marathon in Lisbon?', { source: 'chat-1' });
    await add('Yes, it took me under four hours!', { source: 'chat-1' });
    await service.settled();
    const top = async (query: string) => (await call('POST', '/v1/memories/search', { query, k: 3 })).json.data;
    expect((await top('コーヒー'))[0].content).toContain('コーヒー');
    expect((await top('ข้าวผัด'))[0].content).toContain('ข้าวผัด');
    expect((await top('fahrradgeschaft'))[0].content).toContain('Fahrradgeschäft');
    const lent = await top('marathon in Lisbon');
    expect(lent[0].content).toContain('marathon');
    expect(lent[1].content).toContain('four hours');
    expect(lent[1].signals.neighbours.score).toBeGreaterThan(0);
    expect(lent[0].why).toMatch(/marathon/);
    for (const hit of lent) expect(hit.score).toBeLessThanOrEqual(1);
  });

  // @covers SEARCH-TYPO SEARCH-EMOJI SEARCH-NUMBERS SEARCH-CODES SEARCH-NOTHING
  it('finds words that are written in another way, says so, and finds nothing where nothing matches', async () => {
    await add('Grace flew from Ljubljana on JP 902 🦩');
    await add('Die Ruderbootverleihung kostet 4,321 Euro');
    await add('北海道大学の図書館');
    await service.settled();
    const search = async (query: string) => (await call('POST', '/v1/memories/search', { query, k: 3 })).json.data;
    const [flight] = await search('Ljubjlana');
    expect(flight.content).toContain('Ljubljana');
    expect(flight.signals.matched).toEqual(['ljubjlana ≈ ljubljana']);
    expect(flight.why).toContain('"ljubjlana" (as "ljubljana")');
    for (const query of ['JP902', 'jp-902', '🦩']) expect((await search(query))[0].content).toContain('JP 902');
    expect((await search('🦩'))[0].signals.matched).toEqual(['🦩']);
    for (const query of ['4321', 'ruderboot']) expect((await search(query))[0].content).toContain('4,321');
    expect((await search('大学'))[0].content).toContain('北海道');
    for (const query of ['?', '…', '\u200b', '🦤', '-- ()', 'qzxvkw'])
      expect([query, await search(query)]).toEqual([query, []]);
    const listed = async (q: string) => (await call('GET', `/v1/memories?q=${encodeURIComponent(q)}`)).json.data;
    for (const q of ['北海道', '図書館', '"海道大学"', '🦩', '4321']) expect(await listed(q)).toHaveLength(1);
    expect(await listed('北海道 -大学')).toEqual([]);
    expect(await listed('道海')).toEqual([]);
  });

  // @covers FILTER-SOURCE FILTER-PLAYGROUND FILTER-BOOLEAN FILTER-DEPTH FILTER-UNKNOWN ERR-invalid_filters
  it('filters by what a memory says of itself, and refuses a filter it does not know', async () => {
    await add('filtered pelican one', { metadata: { level: 3, tags: ['a', 'b'] }, source: 'f' });
    await add('filtered pelican two', { metadata: { level: 'high' }, playground: true });
    await service.settled();
    const found = async (filters: object) => {
      const { json } = await call('POST', '/v1/memories/search', { query: 'filtered pelican', filters });
      return json.data
        .map((hit: { content: string }) => hit.content)
        .filter((text: string) => text.includes('pelican'));
    };
    expect(await found({})).toEqual(['filtered pelican one']);
    expect((await found({ include_playground: true })).sort()).toEqual([
      'filtered pelican one',
      'filtered pelican two',
    ]);
    expect(await found({ metadata: { level: { gte: 2, lt: 4 } } })).toEqual(['filtered pelican one']);
    expect(await found({ metadata: { tags: { contains: 'b' } } })).toEqual(['filtered pelican one']);
    expect(await found({ not: [{ source: 'f' }], include_playground: true })).toEqual(['filtered pelican two']);
    expect(await found({ any: [{ source: ['x', 'f'] }, { metadata: { level: 9 } }] })).toEqual([
      'filtered pelican one',
    ]);
    expect(await found({ metadata: { missing: { exists: true } } })).toEqual([]);
    for (const filters of [
      { colour: 1 },
      { source: 3 },
      { metadata: { a: {} } },
      { all: {} },
      { all: [{ all: [{ all: [{ all: [{ source: 'x' }] }] }] }] },
    ]) {
      await refused('invalid_filters', 400, 'POST', '/v1/memories/search', { query: 'x', filters });
    }
  });

  // @covers SEARCH-BUDGET-CUT
  it('cuts hits to the token budget, but always gives the best one', async () => {
    const text = 'budgetary hippopotamus '.repeat(400);
    await add(text);
    await service.settled();
    const { json } = await call('POST', '/v1/memories/search', { query: 'hippopotamus', token_budget: 200 });
    expect(json.data).toHaveLength(1);
    expect(json.data[0].truncated).toBe(true);
    expect(json.tokens_used).toBeLessThanOrEqual(200);
    expect(text.startsWith(json.data[0].content)).toBe(true);
  });

  // @covers LIST-NEWEST LIST-CURSOR LIST-CURSOR-BOUND LIST-PAGE EXPORT-FORMAT EXPORT-PAGES
  it('pages through lists without losing or doubling anything', async () => {
    for (let n = 0; n < 7; n += 1) await add(`paged ${n}`, { metadata: { n } });
    await service.settled();
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const { json } = await call('GET', `/v1/memories?q=paged&limit=3${cursor ? `&cursor=${cursor}` : ''}`);
      seen.push(...json.data.map((memory: { excerpt: string }) => memory.excerpt));
      cursor = json.next_cursor;
    } while (cursor);
    expect(seen).toEqual([6, 5, 4, 3, 2, 1, 0].map((n) => `paged ${n}`));
    const page = await call('GET', '/v1/memories?q=paged&limit=3&page=2');
    expect(page.json.data.map((memory: { excerpt: string }) => memory.excerpt)).toEqual([
      'paged 3',
      'paged 2',
      'paged 1',
    ]);
    expect(page.json.next_cursor).toBeNull();
    const other = await call('GET', '/v1/memories?q=paged&limit=3');
    await refused('invalid_cursor', 400, 'GET', `/v1/memories?q=other&cursor=${other.json.next_cursor}`);
    const all: string[] = [];
    cursor = null;
    do {
      const { json } = await call('GET', `/v1/memories/export?limit=4${cursor ? `&cursor=${cursor}` : ''}`);
      expect(json.format).toBe('service-memories/1');
      all.push(...json.data.map((memory: { id: string }) => memory.id));
      cursor = json.next_cursor;
    } while (cursor);
    expect(all).toEqual([...new Set(all)].sort());
    expect(all.length).toBeGreaterThanOrEqual(7);
  });

  // @covers JOB-LIST-STAGE ERR-invalid_kind ERR-invalid_stage ERR-no_text
  it('imports text, and shows its jobs', async () => {
    const { status, json } = await call('POST', '/v1/ingest', {
      kind: 'text',
      content: 'imported text',
      source: 'mine',
    });
    expect(status).toBe(202);
    await service.settled();
    expect((await call('GET', `/v1/memories/${json.memory_id}`)).json.source).toBe('import:text');
    const jobs = await call('GET', '/v1/ingest?stage=done,failed&limit=1');
    expect(jobs.json.data[0]).toMatchObject({ job_id: json.job_id, source: 'import:text', label: 'imported text' });
    await refused('invalid_stage', 400, 'GET', '/v1/ingest?stage=sleeping');
    await refused('no_text', 422, 'POST', '/v1/ingest', { kind: 'text', content: ' \n ' });
    await refused('invalid_kind', 400, 'POST', '/v1/ingest', { kind: 'tape' });
  });

  it('reports that it is up, ready, and what it measures', async () => {
    expect((await call('GET', '/healthz')).status).toBe(200);
    const version = expect.stringMatching(/^\d+\.\d+\.\d+/);
    expect((await call('GET', '/readyz')).json).toEqual({ status: 'ready', version, missing: [], warnings: [] });
    const { text } = await call('GET', '/metrics');
    expect(text).toContain('counterfoil_http_request_seconds');
    expect(text).toContain('counterfoil_anchoring_failed{step="checkpoint"} 0');
  });

  // @covers NS-LIST-STATS NS-LIST-KEY
  it('lists the namespaces of the key, with counts when asked', async () => {
    const { json } = await call('GET', '/v1/namespaces');
    expect(json.data).toHaveLength(1);
    expect(json.data[0]).toMatchObject({ name: 'default', is_default: true });
    expect(json.data[0]).not.toHaveProperty('memory_count');
    const stats = await call('GET', '/v1/namespaces?include=stats');
    expect(stats.json.data[0].memory_count).toBeGreaterThan(5);
  });
});
