import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Person, signedIn } from '../../http/person.js';
import { type Service, startService } from '../../http/service.js';
import { type Reader, signedInReader } from '../../pages/reader.js';

const ada = { email: 'ada@example.org', password: 'a password of the owner' };

describe('the playground and the unused memories, without scripts', () => {
  let service: Service;
  let person: Person;
  let owner: Reader;
  let reads: Reader;
  beforeAll(async () => {
    service = await startService({ OWNER_EMAIL: ada.email, OWNER_PASSWORD: ada.password });
    person = await signedIn(service, ada);
    owner = await signedInReader(service, ada);
    const { json } = await person.call('POST', '/v1/members', { email: 'r@example.org', role: 'reader' });
    reads = await signedInReader(service, { email: 'r@example.org', password: json.password });
  });
  afterAll(() => service.stop());

  const to = (page: { headers: Headers }) => page.headers.get('location') ?? '';
  const write = async (body: object) => {
    const { memory_id } = (await service.call('POST', '/v1/memories', body)).json;
    await service.settled();
    return `${memory_id}`;
  };

  it('says what test memories are, and to readers without a form that writes', async () => {
    const [empty, read] = [await owner.get('/playground'), await reads.get('/playground')];
    expect(empty.text).toContain('There is no test memory. Write one above');
    expect(empty.text).toContain('aria-current="page"');
    expect([read.status, read.text.includes('Write a test memory')]).toEqual([200, false]);
    expect(read.text).toContain('There is no test memory.');
  });

  it('writes a test memory, finds it, and makes it a real one, with a receipt for each', async () => {
    const content = 'The lighthouse is painted in May.';
    const sent = await owner.send('/playground', '/memories/new?test', { content });
    expect([sent.status, to(sent)]).toEqual([303, expect.stringMatching(/^\/playground\?written/)]);
    await service.settled();
    expect((await owner.get(to(sent))).text).toContain('The test memory was written.');
    expect((await owner.get('/memories')).text).not.toContain(content);
    const found = await owner.send('/playground', '/playground', { query: 'When is the lighthouse painted?' });
    const answer = await owner.get(to(found));
    expect([to(found), answer.text.includes(content)]).toEqual([expect.stringMatching(/^\/playground\?s=/), true]);
    const outside = await owner.send('/memories', '/memories', { query: 'When is the lighthouse painted?' });
    expect((await owner.get(to(outside))).text).not.toContain(content);
    const [, way = ''] = /href="(\/m\/[0-9a-f-]{36}\/promote)"/.exec((await owner.get('/playground')).text) ?? [];
    expect((await owner.get(way)).text).toContain(content);
    const promoted = await owner.send(way, way, {});
    expect([promoted.status, to(promoted)]).toEqual([303, expect.stringContaining('?promoted')]);
    const page = await owner.get(to(promoted));
    expect(page.text).toContain('The test memory is a real one.');
    const [, receipt = ''] = /class="recorded".*href="\/receipts\/(rcp_\w+)"/.exec(page.text) ?? [];
    expect((await person.call('GET', `/v1/receipts/${receipt}`)).json).toMatchObject({ kind: 'memory.promoted' });
    expect((await owner.get('/memories')).text).toContain(content);
    expect((await owner.get('/playground')).text).not.toContain(content);
    const again = await owner.send(way, way, {});
    expect((await owner.get(to(again))).text).toContain('Nothing was written.');
  });

  it('holds the promotion as a rule says, by the source and the metadata of the memory', async () => {
    const id = await write({ content: 'The mole is closed.', source: 'crawler', metadata: { n: 1 }, playground: true });
    await person.call('PUT', '/v1/rules', {
      pause_all: false,
      sensitive: 'redact',
      ask_owner: [{ source: 'crawler' }],
    });
    const way = `/m/${id}/promote`;
    const held = await owner.send(way, way, {});
    const { approval = '' } = held.hidden(way);
    expect([held.status, approval]).toEqual([409, expect.stringMatching(/^apr_/)]);
    expect((await person.call('GET', `/v1/memories/${id}`)).json.playground).toBe(true);
    await person.call('POST', `/v1/approvals/${approval}/approve`);
    const sent = await owner.post(way, held.hidden(way));
    expect([sent.status, to(sent)]).toEqual([303, expect.stringContaining('?promoted')]);
    expect((await person.call('GET', `/v1/memories/${id}`)).json).toMatchObject({
      playground: false,
      source: 'crawler',
      metadata: { n: 1 },
    });
  });

  it('pages through test memories, and refuses a cursor of another list', async () => {
    for (let made = 0; made < 26; made += 1)
      await service.call('POST', '/v1/memories', { content: `<b>test ${made}</b>`, playground: true });
    await service.settled();
    const { text } = await owner.get('/playground');
    expect(text).not.toContain('<b>test');
    const [, older = ''] = /href="(\/playground\?before=[^"]+)"/.exec(text) ?? [];
    const next = await owner.get(older);
    expect([text.includes('test 0&lt;'), next.text.includes('test 0&lt;')]).toEqual([false, true]);
    expect((await owner.get('/playground?before=made-up')).status).toBe(400);
  });

  it('lists what was never recalled, and since when, and deletes a selection of it', async () => {
    const { id: namespace } = (await person.call('POST', '/v1/namespaces', { name: 'harbour' })).json;
    const writeThere = async (content: string, playground = false): Promise<string> =>
      (await person.call('POST', '/v1/memories', { content, namespace, playground })).json.memory_id;
    const [used, never] = [await writeThere('The pilot boat is red.'), await writeThere('A heron.')];
    await writeThere('An egret.', true);
    await service.settled();
    await person.call('POST', '/v1/memories/search', { query: 'pilot boat', filters: { min_score: 0.3 } });
    const rows = async (query: string) => {
      const { text } = await reads.get(`/memories/unused?namespace=${namespace}${query}`);
      return [text.includes(used), text.includes(never), text.includes('<span class="badge">test</span>')];
    };
    for (const query of ['', '&days=30', '&days=365', '&days=999'])
      expect([query, await rows(query)]).toEqual([query, [false, true, true]]);
    expect((await reads.get('/memories/unused')).text).not.toContain(never);
    expect((await reads.get(`/memories/unused?namespace=${namespace}&before=made-up`)).status).toBe(400);
    expect((await owner.get('/memories/unused?namespace=no-id')).status).toBe(400);
    const asked = await owner.send('/memories/unused', '/memories/delete', { do: 'selected', id: [never] });
    expect([asked.status, to(asked)]).toEqual([303, expect.stringMatching(/^\/approvals\/apr_\w+\?asked$/)]);
    expect((await reads.get('/memories/unused')).text).not.toContain('Delete the selected');
  });
});
