import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Person } from '../../http/person.js';
import type { Service } from '../../http/service.js';
import { startOwned } from '../../pages/owner.js';
import { type Reader, signedInReader } from '../../pages/reader.js';

describe('a selection of memories, without scripts', () => {
  let service: Service;
  let person: Person;
  let owner: Reader;
  let writer: Reader;
  let reads: Reader;
  beforeAll(async () => {
    ({ service, person, owner } = await startOwned());
    const joined = async (email: string, role: string) => {
      const { json } = await person.call('POST', '/v1/members', { email, role });
      return signedInReader(service, { email, password: json.password });
    };
    writer = await joined('w@example.org', 'member');
    reads = await joined('r@example.org', 'reader');
  });
  afterAll(() => service.stop());

  async function write(source: string, count: number): Promise<string[]> {
    const ids: string[] = [];
    for (let made = 0; made < count; made += 1)
      ids.push((await service.call('POST', '/v1/memories', { content: `${source} ${made}`, source })).json.memory_id);
    // The list has no rows to select before these are ready.
    await service.settled();
    return ids;
  }
  const left = async (source: string) =>
    (await person.call('GET', `/v1/memories?source=${source}&limit=100`)).json.data.length;
  const select = (who: Reader, from: string, fields: Record<string, string | readonly string[]>) =>
    who.send(from, '/memories/delete', fields);
  const to = (page: { headers: Headers }) => page.headers.get('location') ?? '';

  // @covers PAGES-APPROVAL
  it('is deleted by two people: one requests and carries out, the other sees all of it and decides', async () => {
    const [first = '', second = '', third = ''] = await write('mail', 3);
    const asked = await select(writer, '/memories', { do: 'selected', id: [first, third] });
    expect([asked.status, to(asked)]).toEqual([303, expect.stringMatching(/^\/approvals\/apr_\w+\?asked$/)]);
    const [page = ''] = to(asked).split('?');
    const waits = await writer.get(to(asked));
    expect(waits.text).toContain('Nothing is deleted before it is approved and carried out.');
    expect(waits.text).toContain('An owner or admin of the workspace decides.');
    expect(await left('mail')).toBe(3);
    const seen = await owner.get(page);
    for (const [text, is] of [
      ['mail 0', true],
      ['mail 1', false],
      ['mail 2', true],
    ] as const)
      expect([text, seen.text.includes(text)]).toEqual([text, is]);
    expect((await owner.send(page, page, { do: 'approve' })).status).toBe(303);
    const out = await writer.send(page, page, { do: 'carry out' });
    const end = await writer.get(to(out));
    expect(end.text).toContain('2 of 2 memories are deleted.');
    const [, receipt = ''] = /class="recorded".*href="\/receipts\/(rcp_\w+)"/.exec(end.text) ?? [];
    expect((await person.call('GET', `/v1/receipts/${receipt}`)).json).toMatchObject({ kind: 'memory.delete' });
    expect(await left('mail')).toBe(1);
    const gone = await reads.get(`/m/${first}`);
    expect([gone.status, gone.text.includes('deleted a memory')]).toEqual([410, true]);
    expect((await reads.get(`/m/${second}`)).status).toBe(200);
  });

  it('is all that a filter matches, with a button only where the delete has that filter', async () => {
    await write('chat', 30);
    const list = '/memories?source=chat';
    expect((await owner.get(list)).text).toContain('value="all"');
    for (const without of ['/memories', '/memories?q=chat', '/memories?source=chat&q=chat'])
      expect([without, (await owner.get(without)).text.includes('value="all"')]).toEqual([without, false]);
    const asked = await select(owner, list, { do: 'all' });
    const [page = ''] = to(asked).split('?');
    await owner.send(page, page, { do: 'approve' });
    const out = await owner.send(page, page, { do: 'carry out' });
    expect((await owner.get(to(out))).text).toContain('30 of 30 memories are deleted.');
    expect(await left('chat')).toBe(0);
  });

  it('is refused without a row, with an id that is none, and for readers, who see no boxes', async () => {
    const [id = ''] = await write('kept', 1);
    const none = await select(owner, '/memories', { do: 'selected' });
    expect([none.status, none.text.includes('Select at least one memory')]).toEqual([400, true]);
    for (const ids of ['x', '<script>', '00000000-0000-0000-0000-00000000000'])
      expect([ids, (await select(owner, '/memories', { do: 'selected', id: ids })).status]).toEqual([ids, 400]);
    const forReader = await reads.get('/memories');
    expect([forReader.text.includes('type="checkbox"'), forReader.text.includes('/memories/delete')]).toEqual([
      false,
      false,
    ]);
    const forged = await reads.post('/memories/delete', { do: 'selected', id, token: 'x' });
    expect([forged.status, await left('kept')]).toEqual([403, 1]);
  });
});
