import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { administration } from '../../http/keys.js';
import type { signedIn } from '../../http/person.js';
import type { Service } from '../../http/service.js';
import { joined, startOwned } from '../../pages/owner.js';
import { type Reader, reader, recordedAt, unescaped } from '../../pages/reader.js';

const hostile = '<script>alert("1")</script>name';

describe('the pages of receipts', () => {
  let service: Service;
  let owner: Reader;
  let reads: Reader;
  let person: Awaited<ReturnType<typeof signedIn>>;
  beforeAll(async () => {
    ({ service, person, owner } = await startOwned());
    reads = await joined(service, person, 'r@example.org', 'reader');
    await written('The tide table hangs beside the door.');
  });
  afterAll(() => service.stop());

  const written = async (content: string) => (await person.call('POST', '/v1/memories', { content })).json;
  const newest = async (kind: string) => (await person.call('GET', `/v1/receipts?kind=${kind}&limit=1`)).json.data[0];
  const rows = ({ text }: { text: string }) => text.match(/class="whole"/g)?.length ?? 0;

  it('list who did which thing, newest first, each row with a link, for owners and readers', async () => {
    const { id, seq } = await newest('memory.write');
    const page = await owner.get('/receipts');
    expect(page.status).toBe(200);
    expect(page.text).toContain('<b><bdi dir="auto">ada@example.org</bdi></b> wrote a memory</a>');
    expect(page.text).toContain(`href="/receipts?open=${id}"`);
    expect(page.text).toContain(`>${seq}</td>`);
    expect(page.text).toContain('aria-current="true">Receipts');
    const forReader = await reads.get('/receipts');
    expect([forReader.status, forReader.text.includes('A person</bdi></b> wrote a memory')]).toEqual([200, true]);
    expect(forReader.text).not.toContain('ada@example.org');
    const outsider = await reader(service).get('/receipts');
    expect([outsider.status, outsider.headers.get('location')]).toEqual([303, expect.stringContaining('/sign-in')]);
  });

  it('keep the filters in the address: kind, namespace, actor and time', async () => {
    const { key_id: key } = (await person.call('POST', '/v1/keys', { name: hostile })).json;
    const keys = await owner.get('/receipts?kind=key.*%2Cagent_key.*%2Cattestation_key.*');
    expect(keys.text).toContain('made an API key');
    expect(keys.text).not.toContain('wrote a memory');
    expect(keys.text).toContain('" selected>Keys</option>');
    expect(keys.text).not.toContain('<script>alert');
    expect(keys.text).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;name');
    const { json: spaces } = await person.call('GET', '/v1/namespaces');
    const inSpace = await owner.get(`/receipts?namespace=${spaces.data[0].id}`);
    expect([inSpace.status, inSpace.text.includes('wrote a memory')]).toEqual([200, true]);
    const { actor } = await newest('memory.write');
    const by = await owner.get(`/receipts?actor=${actor.id}&kind=memory.write`);
    expect(by.text).toContain(`<option value="${actor.id}" selected>ada@example.org</option>`);
    expect(by.text).toContain('<option value="">Anyone</option><optgroup label="People">');
    expect(by.text).toContain(`<option value="${key}">&lt;script&gt;`);
    // The actor of the address stays chosen where it is not listed, and a reader is shown no other people and no keys.
    const gone = await owner.get(`/receipts?actor=${spaces.data[0].id}`);
    expect(gone.text).toContain(`<option value="${spaces.data[0].id}" selected>`);
    const forReader = (await reads.get('/receipts')).text;
    expect([forReader.includes('>Anyone</option>'), forReader.includes('<optgroup label="Keys">')]).toEqual([
      true,
      false,
    ]);
    expect(forReader).not.toContain('ada@example.org');
    expect((await owner.get(`/receipts?actor=${key}`)).text).toContain('No receipt matches these filters.');
    const [, since = ''] = /href="([^"]*)">Last 24 hours/.exec(by.text) ?? [];
    expect(unescaped(since)).toMatch(/^\/receipts\?kind=memory\.write&actor=[\w-]+&since=\d{4}-/);
    expect((await owner.get(unescaped(since))).text).toContain('wrote a memory');
  });

  it('show the times of the address in the form, in UTC, and keep them in links', async () => {
    const field = (text: string, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1];
    const later = await owner.get('/receipts?since=2999-01-01T02:00:00%2B02:00&until=2999-02-01T00:00:30.250Z');
    expect([field(later.text, 'since'), field(later.text, 'until')]).toEqual([
      '2999-01-01T00:00',
      '2999-02-01T00:00:30.250',
    ]);
    expect(later.text).toContain('No receipt matches these filters.');
    // A field of a browser sends no zone.
    const typed = await owner.get('/receipts?kind=memory.write&since=2020-01-01T00:00&until=2999-01-01T00:00:01');
    expect([typed.status, field(typed.text, 'since')]).toEqual([200, '2020-01-01T00:00']);
    const [, row = ''] = /class="whole" data-live href="([^"]*)"/.exec(typed.text) ?? [];
    expect(unescaped(row)).toContain('since=2020-01-01T00%3A00%3A00Z&until=2999-01-01T00%3A00%3A01Z');
    const none = await owner.get('/receipts?until=2020-01-01T00:00');
    expect(none.text).toContain('No receipt matches these filters.');
    const followed = await owner.get('/receipts?follow=1&until=2020-01-01T00:00');
    expect([followed.status, rows(followed) > 0]).toEqual([200, true]);
  });

  it('refuse a filter that cannot be read with the form still there', async () => {
    for (const query of [
      'kind=none',
      'namespace=x',
      'since=yesterday',
      'before=x',
      `kind=${encodeURIComponent(hostile)}`,
    ]) {
      const page = await owner.get(`/receipts?${query}`);
      expect([query, page.status, page.text.includes('role="alert"')]).toEqual([query, 400, true]);
      expect(page.text).not.toContain('<script>alert');
      expect(page.text).toContain('action="/receipts"');
    }
  });

  it('show 25 rows, and older ones by a link that keeps the filters', async () => {
    for (let n = 0; n < 26; n += 1) await written(`Memory number ${n}.`);
    const first = await owner.get('/receipts?kind=memory.write');
    const [, older = ''] = /href="([^"]*)" data-live="top">Older/.exec(first.text) ?? [];
    expect([rows(first), unescaped(older)]).toEqual([
      25,
      expect.stringMatching(/^\/receipts\?kind=memory\.write&before=/),
    ]);
    const second = await owner.get(unescaped(older));
    expect([second.status, rows(second), second.text.includes('Older')]).toEqual([200, 2, false]);
  });

  it('show one receipt with its facts, its proof as the service checks it, and the claims', async () => {
    const receipt = await newest('memory.write');
    const { id, hash, body } = receipt;
    for (const one of [owner, reads]) {
      const page = await one.get(`/receipts/${id}`);
      expect(page.status).toBe(200);
      expect(page.text).toContain(`href="/m/${body.memory_id}"`);
      expect(page.text).toContain(hash);
      expect(page.text).toContain(`href="/v1/receipts/${id}/proof"`);
      expect(page.text).toContain('href="/verify"');
      const steps = [...page.text.matchAll(/<li class="([\w-]+)"><span class="name">(\w+)</g)].map(([, kind, name]) => [
        name,
        kind,
      ]);
      expect(steps).toEqual([
        ['Chain', 'verified'],
        ['Tree', 'verified'],
        ['Checkpoint', 'verified'],
        ['Witnesses', 'absent'],
        ['Bitcoin', 'absent'],
        ['Ethereum', 'absent'],
      ]);
      expect(page.text).toContain('The entry is number');
    }
  });

  it('open one beside the list, with the ways to the rows before and after it, which keep the filters', async () => {
    const { json } = await person.call('GET', '/v1/receipts?kind=memory.write&limit=3');
    const [first, second, third] = json.data;
    const page = await owner.get(`/receipts?kind=memory.write&open=${second.id}`);
    const ways = [...page.text.matchAll(/href="([^"]*)">(?:Previous|Next)</g)].map(([, to = '']) => unescaped(to));
    const address = (id: string) => `/receipts?kind=memory.write&open=${id}`;
    expect([page.status, ways]).toEqual([200, [address(first.id), address(third.id)]]);
    expect(page.text).toContain(second.hash);
    expect(page.text).toContain(`href="/receipts/${second.id}?from=%2Freceipts%3Fkind%3Dmemory.write">Open</a>`);
    expect(page.text.match(/aria-selected="true"/g)).toHaveLength(1);
    const unknown = await owner.get('/receipts?open=rcp_00000000000000000000000000000000');
    expect([unknown.status, rows(unknown), unknown.text.includes('role="alert"')]).toEqual([200, 25, true]);
    const noId = await owner.get(`/receipts?open=${encodeURIComponent(hostile)}`);
    expect([noId.status, noId.text.includes('class="slip'), noId.text.includes('<script>a')]).toEqual([
      200,
      false,
      false,
    ]);
  });

  it('find a receipt by its id and its hash, and the receipts of a session by its name', async () => {
    const { id, hash } = await newest('memory.write');
    const foundAt = async (text: string) =>
      (await owner.get(`/receipts?find=${encodeURIComponent(text)}`)).headers.get('location');
    expect(await foundAt(id)).toBe(`/receipts/${id}`);
    expect(await foundAt(hash)).toBe(`/receipts/${id}`);
    expect(await foundAt('run 7 & more')).toBe('/receipts?session=run+7+%26+more');
    const session = await owner.get('/receipts?session=run+7+%26+more');
    expect([session.status, session.text.includes('No receipt matches these filters.')]).toEqual([200, true]);
    const none = await owner.get(`/receipts?find=${'0'.repeat(64)}`);
    expect([none.status, none.text.includes('no receipt with this hash')]).toEqual([200, true]);
    expect(none.text).toContain(`value="${'0'.repeat(64)}"`);
  });

  it('can be followed: what comes after a number, newest first, with the number for the next request', async () => {
    const start = await owner.get('/receipts?kind=memory.write&follow=1');
    const nextOf = ({ text }: { text: string }) => /data-after="(\d+)"/.exec(text)?.[1] ?? '';
    expect([start.status, start.text.includes('Stop following')]).toEqual([200, true]);
    let after = nextOf(start);
    expect(Number(after)).toBeGreaterThan(0);
    for (let n = 0; n < 3; n += 1) {
      await written(`A memory that is followed, number ${n}.`);
      const next = await owner.get(`/receipts?kind=memory.write&follow=1&after=${after}`);
      expect([rows(next), next.text.includes('data-more')]).toEqual([1, false]);
      expect(Number(nextOf(next))).toBeGreaterThan(Number(after));
      after = nextOf(next);
    }
    const nothing = await owner.get(`/receipts?kind=memory.write&follow=1&after=${after}`);
    expect([nothing.status, rows(nothing)]).toEqual([200, 0]);
    // Every open tab asks for this every few seconds: neither the header nor the filters are read for it.
    expect(['<nav', '<select', '</main>'].map((part) => nothing.text.includes(part))).toEqual([false, false, true]);
    expect((await owner.get('/receipts?follow=1&after=x')).status).toBe(400);
  });

  it('of an own search take the query, check it, and make the bundle that discloses it', async () => {
    const query = 'Where does the <b>tide</b> table hang?\nBeside a door';
    const { receipt_id: id } = (await person.call('POST', '/v1/memories/search', { query })).json;
    const [receipt, path] = [`/receipts/${id}`, `/receipts/${id}/query`];
    expect((await owner.get(receipt)).text).toContain(`href="${path}">Add the query`);
    const before = (await newest('memory.*')).seq;
    const wrong = await owner.send(path, path, { query: 'Where does it hang?', do: 'check' });
    expect([wrong.status, wrong.text.includes('role="alert"')]).toEqual([400, true]);
    expect(wrong.text).toContain('>\nWhere does it hang?</textarea>');
    const sent = { query: query.replace('\n', '\r\n') };
    const right = await owner.send(path, path, { ...sent, do: 'check' });
    expect([right.status, right.text.includes('The receipt commits to this query.')]).toEqual([200, true]);
    expect(right.text).toMatch(/<dt>Content<\/dt><dd><span class="state verified"/);
    expect(right.text).not.toContain('<b>tide');
    const file = await owner.send(path, path, { ...sent, do: 'bundle' });
    expect([file.status, file.headers.get('content-disposition')]).toEqual([200, `attachment; filename="${id}.json"`]);
    expect(JSON.parse(file.text).disclosed.query).toBe(query);
    expect((await newest('memory.*')).seq).toBe(before);
    // Someone else could find the query by guessing, and other receipts have none.
    expect((await reads.get(path)).status).toBe(404);
    expect((await reads.post(path, { query })).status).toBe(403);
    const written = await newest('memory.write');
    expect((await owner.get(`/receipts/${written.id}/query`)).status).toBe(404);
    expect((await owner.get(`/receipts/${written.id}`)).text).not.toContain('Add the query');
  });

  it('show the trace of a task receipt as a tree, and erase its private text after asking', async () => {
    const base = {
      platform: 'custom',
      agent_handle: '@bot',
      task_type: 'review',
      status: 'success',
      started_at: '2026-11-01T10:00:00Z',
    };
    const trace_id = 'a'.repeat(32);
    const submit = async (more: Record<string, string>) =>
      (await person.call('POST', '/v1/receipts', { schema: 'task_receipt.v1', ...base, trace_id, ...more })).json
        .data[0].id;
    const parent = await submit({
      receipt_id: 'tree-1',
      span_id: '1'.repeat(16),
      ended_at: '2026-11-01T10:00:04Z',
      task_summary: 'A private sentence.',
    });
    const child = await submit({
      receipt_id: 'tree-2',
      span_id: '2'.repeat(16),
      parent_span_id: '1'.repeat(16),
      ended_at: '2026-11-01T10:00:01Z',
    });
    const page = await owner.get(`/receipts/${parent}`);
    expect(page.text).toContain('<h2>Trace');
    expect(page.text).toContain('max="4000" value="4000"');
    expect(page.text).toContain('max="4000" value="1000"');
    expect(page.text).toContain(`href="/receipts/${child}"`);
    expect(page.text).toContain('A private sentence.');
    const erase = `/receipts/${parent}/erase`;
    expect(page.text).toContain(`href="${erase}"`);
    const asked = await owner.get(erase);
    expect([asked.status, asked.text.includes('Erase the private text?')]).toEqual([200, true]);
    const sent = await owner.send(erase, erase, {});
    expect([sent.status, sent.headers.get('location')]).toEqual([303, recordedAt(`/receipts/${parent}?erased`)]);
    const after = await owner.get(`/receipts/${parent}?erased`);
    expect([after.text.includes('A private sentence.'), after.text.includes(`href="${erase}"`)]).toEqual([
      false,
      false,
    ]);
    expect(after.text).toContain('The private text was erased');
    expect((await reads.get(`/receipts/${parent}`)).text).not.toContain('/erase"');
  });

  it('know nothing of ids that are not there, and of those of another workspace', async () => {
    const { key } = await administration(service).workspace();
    const of = { authorization: `Bearer ${key}` };
    const other = await service.call('POST', '/v1/memories', { content: 'A text of others.' }, of);
    expect(other.status).toBe(202);
    const { json } = await service.call('GET', '/v1/receipts?kind=memory.write', undefined, of);
    const foreign = json.data[0].id;
    expect((await owner.get('/receipts')).text).not.toContain(foreign);
    for (const id of [foreign, 'rcp_00000000000000000000000000000000', 'x', '%00', encodeURIComponent(hostile)]) {
      const page = await owner.get(`/receipts/${id}`);
      expect([id, page.status, page.text.includes('<script>alert')]).toEqual([id, 404, false]);
    }
  });

  it('filter by an agent that is linked to the workspace, for every role', async () => {
    const agent_id = 'agn_mfrggzdfmztwq2lknnwg23tpobyxe43u';
    await person.call('POST', '/v1/agents', { agent_id, name: 'Archivist' });
    const { key } = (await person.call('POST', '/v1/keys', { name: 'desk', agent_id })).json;
    await service.call('POST', '/v1/memories', { content: 'A gull.' }, { authorization: `Bearer ${key}` });
    for (const one of [owner, reads]) {
      const page = await one.get(`/receipts?actor=${agent_id}`);
      expect([page.status, rows(page)]).toEqual([200, 1]);
      expect(page.text).toContain(`<option value="${agent_id}" selected>Archivist</option>`);
    }
  });
});
