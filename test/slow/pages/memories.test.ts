import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Service } from '../../http/service.js';
import { joined, startOwned } from '../../pages/owner.js';
import { type Reader, recordedAt } from '../../pages/reader.js';

const tide = 'The tide table hangs beside the door of the harbour office.';

describe('the pages of memories, without scripts', () => {
  let service: Service;
  let owner: Reader;
  let reads: Reader;
  let call: (method: string, path: string, body?: object) => ReturnType<Service['call']>;
  beforeAll(async () => {
    const owned = await startOwned();
    ({ service, owner } = owned);
    const { person } = owned;
    call = (method, path, body) => person.call(method, path, body);
    reads = await joined(service, person, 'r@example.org', 'reader');
  });
  afterAll(() => service.stop());

  const to = (page: { headers: Headers }) => page.headers.get('location') ?? '';
  const pathOf = (page: { headers: Headers }) => to(page).split('?')[0] ?? '';
  const write = async (fields: Record<string, string>) => owner.send('/memories/new', '/memories/new', fields);
  const recalls = async () => (await call('GET', '/v1/receipts?kind=memory.recall')).json.data.length;

  // @covers PAGES-MEMORIES
  it('write a text, find it by a search with its receipt, and list it without one', async () => {
    const written = await write({ content: tide, source: 'chat-1' });
    expect([written.status, to(written)]).toEqual([
      303,
      expect.stringMatching(/^\/m\/[0-9a-f-]{36}\?written&receipt=rcp_\w{32}$/),
    ]);
    expect((await owner.get(to(written))).text).toContain('The memory was written.');
    const again = await write({ content: tide });
    expect([pathOf(again), to(again).endsWith('?duplicate')]).toEqual([pathOf(written), true]);
    const before = await recalls();
    const asked = await owner.send('/memories', '/memories', { query: 'Where does the tide table hang?' });
    expect([asked.status, to(asked)]).toEqual([303, expect.stringMatching(/^\/memories\?s=[\w-]+$/)]);
    const shown = await owner.get(to(asked));
    expect(shown.text).toContain(tide);
    expect(shown.text).toContain(`href="${pathOf(written)}?from=`);
    const [, receipt = ''] = /recorded as receipt <a class="id" href="\/receipts\/(rcp_\w+)"/.exec(shown.text) ?? [];
    expect((await call('GET', `/v1/receipts/${receipt}`)).json).toMatchObject({ kind: 'memory.recall' });
    // Reload and Back show the same answer, and the list of words writes no receipt either.
    expect((await owner.get(to(asked))).text).toContain(receipt);
    expect((await owner.get('/memories?q=tide')).text).toContain(tide);
    expect(await recalls()).toBe(before + 1);
  });

  // @covers PAGES-MEMORIES
  it('start no search by a link: it holds for the session that has searched', async () => {
    const asked = await owner.send('/memories', '/memories', { query: 'harbour office' });
    const before = await recalls();
    const other = await reads.get(to(asked));
    expect([other.status, other.text.includes('recorded as receipt')]).toEqual([200, false]);
    expect((await owner.get('/memories?s=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')).status).toBe(200);
    expect(await recalls()).toBe(before);
  });

  it('say that nothing matches, and refuse a search that is too long with the text kept', async () => {
    expect((await owner.get('/memories?q=zebra')).text).toContain('Nothing matches these filters.');
    expect((await owner.get('/memories?before=wrong&q=tide')).text).toContain('role="alert"');
    const long = await owner.send('/memories', '/memories', { query: `end ${'x'.repeat(8001)}` });
    expect([long.status, long.text.includes('value="end xxx')]).toEqual([400, true]);
    const blank = await write({ content: ' ' });
    expect([blank.status, blank.text.includes('role="alert"')]).toEqual([400, true]);
  });

  // @covers PAGES-MEMORIES
  it('correct a memory: the new text is valid, the earlier one names it and can be made valid again', async () => {
    const earlier = pathOf(await write({ content: 'The office opens at nine.' }));
    const corrected = await owner.send(`${earlier}/correct`, `${earlier}/correct`, {
      content: 'The office opens at ten.',
      reason: 'New hours.',
    });
    const page = await owner.get(to(corrected));
    expect([corrected.status, page.text.includes('The office opens at ten.')]).toEqual([303, true]);
    const old = await owner.get(earlier);
    expect(old.text).toContain('not valid any more: <bdi dir="auto">New hours.</bdi>');
    expect(old.text).toContain(`href="${pathOf(corrected)}"`);
    const same = await owner.send(`${pathOf(corrected)}/correct`, `${pathOf(corrected)}/correct`, {
      content: 'The office opens at ten.',
      reason: 'None.',
    });
    expect([same.status, same.text.includes('the same as the earlier one')]).toEqual([400, true]);
    const valid = await owner.send(`${earlier}/reinstate`, `${earlier}/reinstate`);
    expect([to(valid), (await owner.get(to(valid))).text.includes('The memory is valid again.')]).toEqual([
      recordedAt(`${earlier}?reinstated`),
      true,
    ]);
    expect((await owner.get(earlier)).text).toContain('marked a memory as no longer valid');
  });

  // @covers PAGES-MEMORIES
  it('delete a memory after a question; what the ledger keeps is shown, to readers too', async () => {
    const path = pathOf(await write({ content: 'The code of the door is four zeros.' }));
    const asking = await owner.get(`${path}/delete`);
    expect(asking.text).toContain('The code of the door is four zeros.');
    const deleted = await owner.send(`${path}/delete`, `${path}/delete`);
    expect([deleted.status, to(deleted)]).toEqual([303, recordedAt(`${path}?deleted`)]);
    for (const one of [owner, reads]) {
      const gone = await one.get(path);
      expect([gone.status, gone.text.includes('four zeros'), gone.text.includes('deleted a memory')]).toEqual([
        410,
        false,
        true,
      ]);
    }
    expect((await owner.get('/m/0192f0c4-8000-7000-8000-00000000000a')).status).toBe(404);
  });

  it('offer readers nothing that they may not do, and refuse it all the same', async () => {
    const path = pathOf(await write({ content: 'Readers see this.' }));
    const [list, one] = [await reads.get('/memories'), await reads.get(path)];
    expect(list.text).not.toContain('/memories/new');
    expect([one.status, one.text.includes('Readers see this.'), one.text.includes(`${path}/delete`)]).toEqual([
      200,
      true,
      false,
    ]);
    const asking = await reads.get(`${path}/delete`);
    expect([asking.status, asking.text.includes('<button class="danger">')]).toEqual([200, false]);
    expect(asking.text).toContain('Your role reads and does not write.');
    const refused = await reads.post(`${path}/delete`, { token: 'x' });
    expect([refused.status, (await owner.get(path)).status]).toEqual([403, 200]);
  });

  it('keep a text that a rule holds, and write it when it is approved', async () => {
    await call('PUT', '/v1/rules', { pause_all: false, sensitive: 'redact', ask_owner: [{ source: 'held' }] });
    const held = await write({ content: 'A text of a held source.', source: 'held' });
    expect([held.status, held.text.includes('A text of a held source.</textarea>')]).toEqual([409, true]);
    const { approval } = held.hidden('/memories/new');
    for (const page of ['/approvals', `/approvals/${approval}`]) {
      const { text } = await owner.get(page);
      expect(text).toContain('<p class="memory"><bdi dir="auto">A text of a held source.</bdi></p>');
      expect(text).toContain('<dd>24 bytes</dd>');
    }
    const decided = await call('POST', `/v1/approvals/${approval}/approve`);
    expect(decided.status).toBe(200);
    // The page of the approval leads back to the form, also for a person who has closed it.
    const way = `/memories/new?approval=${approval}`;
    expect((await owner.get(`/approvals/${approval}`)).text).toContain(`href="${way}"`);
    const again = await owner.get(way);
    expect([again.status, again.text.includes('Send the approved text')]).toEqual([200, true]);
    const other = await owner.send(way, '/memories/new', { content: 'Another text.', source: 'held' });
    expect([other.status, other.text.includes('Another text.</textarea>')]).toEqual([403, true]);
    expect(other.text).toContain('its length (13 bytes, and 24 were approved) and its beginning');
    expect((await owner.get(`/approvals/${approval}`)).text).not.toContain('A text of a held source.');
    expect((await owner.get(`/memories/new?approval=apr_${'0'.repeat(32)}`)).text).toContain('role="alert"');
    const fields = { ...again.hidden('/memories/new'), content: 'A text of a held source.', source: 'held' };
    const written = await owner.post('/memories/new', fields);
    expect([written.status, to(written).includes('?written&receipt=rcp_')]).toEqual([303, true]);
    await call('PUT', '/v1/rules', { pause_all: false, sensitive: 'redact', ask_owner: [] });
  });

  it('take a text of a mebibyte in three-byte escapes', async () => {
    const content = 'ü'.repeat(512 * 1024 - 10);
    const written = await write({ content });
    expect([written.status, to(written).includes('?written&receipt=rcp_')]).toEqual([303, true]);
  });
});
