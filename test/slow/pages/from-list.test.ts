import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Service } from '../../http/service.js';
import { startOwned } from '../../pages/owner.js';
import { type Page, type Reader, unescaped } from '../../pages/reader.js';

describe('the page of a row, without scripts', () => {
  let service: Service;
  let owner: Reader;
  let call: (method: string, path: string, body?: object) => ReturnType<Service['call']>;
  beforeAll(async () => {
    const owned = await startOwned();
    ({ service, owner } = owned);
    const { person } = owned;
    call = (method, path, body) => person.call(method, path, body);
    for (let n = 0; n < 28; n += 1) await call('POST', '/v1/memories', { content: `Tide number ${n}.` });
    await call('POST', '/v1/memories', { content: 'A gull.' });
    await service.settled();
  });
  afterAll(() => service.stop());

  const to = (page: Page) => page.headers.get('location') ?? '';
  const rowsOf = ({ text }: Page) =>
    [...text.matchAll(/class="whole"[^>]* href="([^"]*)"|class="whole" href="([^"]*)"/g)].map(
      ([, one = '', other = '']) => unescaped(one || other),
    );
  /** The links of the way through the list, by their texts. */
  const waysOf = ({ text }: Page): Record<string, string> => {
    const [nav = ''] = /<nav class="walk".*?<\/nav>/s.exec(text) ?? [];
    const links = [...nav.matchAll(/href="([^"]*)">([^<]*)</g)];
    return Object.fromEntries(links.map(([, href = '', name = '']) => [name, unescaped(href)]));
  };
  const pathOf = (address: string | undefined) => address?.split('?')[0];

  // @covers PAGES-MEMORIES
  it('leads back to the same filter and page of the memories, and walks over its rows', async () => {
    const first = await owner.get('/memories?q=tide');
    const [, older = ''] = /href="([^"]*)" data-live="top">Older/.exec(first.text) ?? [];
    const address = unescaped(older);
    const rows = rowsOf(await owner.get(address));
    expect(rows).toHaveLength(3);
    const middle = waysOf(await owner.get(rows[1] ?? ''));
    expect(middle).toEqual({ 'Back to the list': address, Previous: rows[0], Next: rows[2] });
    expect(rowsOf(await owner.get(middle['Back to the list'] ?? ''))).toEqual(rows);
    expect(Object.keys(waysOf(await owner.get(rows[0] ?? '')))).toEqual(['Back to the list', 'Next']);
    expect(Object.keys(waysOf(await owner.get(rows[2] ?? '')))).toEqual(['Back to the list', 'Previous']);
    // Without a list, and with a made-up one, there is none to walk.
    for (const query of [
      '',
      '?from=https%3A%2F%2Fevil.example',
      '?from=%2Fsign-out',
      '?from=%2F%2Fevil.example%2Fmemories',
    ]) {
      const page = await owner.get(`${pathOf(rows[1])}${query}`);
      expect([query, page.status, waysOf(page), page.text.includes('evil.example')]).toEqual([query, 200, {}, false]);
    }
    const stale = await owner.get(`${pathOf(rows[1])}?from=%2Fmemories%3Fbefore%3Dstale`);
    expect([stale.status, waysOf(stale)]).toEqual([200, { 'Back to the list': '/memories?before=stale' }]);
  });

  it('keeps the place through a form, and after the memory is deleted', async () => {
    const [row = ''] = rowsOf(await owner.get('/memories?q=tide'));
    const page = await owner.get(row);
    const [, invalidate = ''] = /href="([^"]*)">Invalidate</.exec(page.text) ?? [];
    const changed = await owner.send(unescaped(invalidate), `${pathOf(row)}/invalidate`, { reason: 'It was a storm.' });
    expect(waysOf(await owner.get(to(changed)))['Back to the list']).toBe('/memories?q=tide');
    const [, remove = ''] = /href="([^"]*)">Delete</.exec(page.text) ?? [];
    const deleted = await owner.send(unescaped(remove), `${pathOf(row)}/delete`);
    const gone = await owner.get(to(deleted));
    expect([gone.status, waysOf(gone)]).toEqual([410, { 'Back to the list': '/memories?q=tide' }]);
  });

  it('walks over the hits of a search, which makes no other search', async () => {
    const asked = await owner.send('/memories', '/memories', { query: 'Which tide number is it?' });
    const found = await owner.get(to(asked));
    const hits = [...found.text.matchAll(/href="([^"]*)">Open the memory/g)].map(([, one = '']) => unescaped(one));
    const recalls = async () => (await call('GET', '/v1/receipts?kind=memory.recall')).json.data.length;
    const before = await recalls();
    expect(waysOf(await owner.get(hits[1] ?? ''))).toEqual({
      'Back to the list': to(asked),
      Previous: hits[0],
      Next: hits[2],
    });
    expect(await recalls()).toBe(before);
  });

  it('does the same for receipts and for approvals', async () => {
    const open = rowsOf(await owner.get('/receipts?kind=memory.write'));
    const peek = await owner.get(open[1] ?? '');
    const [, full = ''] = /class="button" href="([^"]*)">Open</.exec(peek.text) ?? [];
    const ways = waysOf(await owner.get(unescaped(full)));
    const idIn = (address: string | undefined) => /rcp_\w{32}/.exec(address ?? '')?.[0];
    expect(ways['Back to the list']).toBe('/receipts?kind=memory.write');
    expect([idIn(ways.Previous), idIn(ways.Next)]).toEqual([idIn(open[0]), idIn(open[2])]);
    const followed = rowsOf(await owner.get('/receipts?follow=1'));
    expect(waysOf(await owner.get(followed[0] ?? ''))).toEqual({ 'Back to the list': '/receipts?follow=1' });
    const parts = rowsOf(await owner.get('/'));
    expect(parts[0]).toMatch(/^\/receipts\/rcp_\w+$/);

    const { json } = await call('GET', '/v1/memories?limit=2');
    for (const { id } of json.data) await call('POST', '/v1/memories/bulk-delete', { ids: [id] });
    const cards = [...(await owner.get('/approvals')).text.matchAll(/href="(\/approvals\/apr_[^"]*)"/g)].map(
      ([, one = '']) => unescaped(one),
    );
    const [newest = '', other] = cards;
    expect(waysOf(await owner.get(newest))).toEqual({ 'Back to the list': '/approvals', Next: other });
    const decided = await owner.send(newest, pathOf(newest) ?? '', { do: 'reject' });
    expect(waysOf(await owner.get(to(decided)))['Back to the list']).toBe('/approvals');
  });
});
