import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Refusal } from '../../../contracts/errors.js';
import { part } from '../../../src/pages/overview/part.js';
import type { Person } from '../../http/person.js';
import { type Service, startService } from '../../http/service.js';
import { ada, joined, startOwned } from '../../pages/owner.js';
import { type Page, type Reader, reader, recordedAt, signedInReader, unescaped } from '../../pages/reader.js';

const hostile = '<script>alert("1")</script>';

describe('the first page of the service, without scripts', () => {
  let service: Service;
  let person: Person;
  let owner: Reader;
  beforeAll(async () => {
    ({ service, person, owner } = await startOwned());
  });
  afterAll(() => service.stop());

  const to = (page: Page) => page.headers.get('location') ?? '';
  const joins = (email: string, role: string) => joined(service, person, email, role);

  // @covers PAGES-SIGN-IN
  it('says to an outsider what this is, with links that work, and takes a person there after the sign-in', async () => {
    const page = await reader(service).get('/');
    expect([page.status, page.text.includes('Overview')]).toEqual([200, false]);
    const links = [...page.text.matchAll(/href="(\/[a-z-]*)"/g)].map(([, link = '']) => link);
    expect(links).toEqual(expect.arrayContaining(['/sign-in', '/verify', '/developers']));
    for (const link of links) expect([link, (await reader(service).get(link)).status]).toEqual([link, 200]);
    expect(to(await reader(service).post('/sign-in', ada))).toBe('/');
    expect(to(await reader(service).get('/console'))).toBe('/');
  });

  it('leads a newcomer from a sentence to its proof and to the connection of an agent, each step in the address', async () => {
    const start = await owner.get('/');
    expect(start.text).toContain('aria-current="step">Write a memory');
    const written = await owner.send('/', '/tour', { do: 'write', content: `The harbour closes at nine. ${hostile}` });
    expect([written.status, to(written)]).toEqual([303, recordedAt(to(written).replace(/&receipt=.*/, ''))]);
    const [, receipt = ''] = /of=(rcp_\w{32})/.exec(to(written)) ?? [];
    expect((await person.call('GET', `/v1/receipts/${receipt}`)).json).toMatchObject({ kind: 'memory.write' });
    const asks = await owner.get(to(written));
    expect(asks.text).toContain('aria-current="step">Find it');
    const found = await owner.send(to(written), '/tour', { do: 'search', query: 'When does the harbour close?' });
    const hits = await owner.get(to(found));
    expect([hits.text.includes('The harbour closes at nine.'), hits.text.includes('<meter')]).toEqual([true, true]);
    expect(hits.text).not.toContain('<script>alert');
    const recalls = async () =>
      (await person.call('GET', '/v1/receipts?kind=memory.recall&limit=100')).json.data.length;
    const searches = await recalls();
    await owner.get(to(found));
    expect(await recalls()).toBe(searches);
    const [, next = ''] = /href="(\/\?step=prove[^"]*)"/.exec(hits.text) ?? [];
    const proof = await owner.get(unescaped(next));
    expect(proof.text).toContain('<li class="verified"><span class="name">Chain');
    expect(proof.text).toContain(`href="/receipts/${receipt}"`);
    const last = await owner.get('/?step=connect');
    expect([last.text.includes('href="/connect"'), last.text.includes('aria-current="step">Connect')]).toEqual([
      true,
      true,
    ]);
    // A workspace with a memory begins no tour by itself.
    expect((await owner.get('/')).text).not.toContain('First steps');
  });

  it('keeps what was typed where a step is refused, and forgets the tour for a person who leaves it', async () => {
    const long = 'x'.repeat(8001);
    const refused = await owner.send('/?step=search', '/tour', { do: 'search', query: long });
    expect([refused.status, refused.text.includes('role="alert"'), refused.text.includes(long)]).toEqual([
      400,
      true,
      true,
    ]);
    const left = await owner.get('/?step=left');
    expect(left.headers.getSetCookie()).toEqual(['tour=left; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax']);
    const forged = await owner.post('/tour', { do: 'write', content: 'forged', token: 'x' });
    expect(forged.status).toBe(403);
  });

  it('shows what waits, the plan, the newest receipts and the log, and to readers no step that writes', async () => {
    const rules = { pause_all: false, sensitive: 'redact', ask_owner: [{ source: 'crawler' }] };
    await person.call('PUT', '/v1/rules', rules);
    await service.call('POST', '/v1/memories', { content: hostile, source: 'crawler' });
    const page = await owner.get('/');
    expect(page.text).toMatch(/href="\/approvals">1 request<\/a> waits for a decision/);
    expect(page.text).not.toContain('<script>alert');
    for (const part of ['Memories', 'Newest receipts', 'Leaves of the log', 'wrote a memory'])
      expect(page.text).toContain(part);
    const reads = await joins('r@example.org', 'reader');
    const forReader = await reads.get('/?step=write');
    expect([forReader.status, forReader.text.includes('First steps')]).toEqual([200, false]);
    expect(forReader.text).toContain('Newest receipts');
  });

  it('has no tour and no way to memories where the memory API is switched off', async () => {
    const without = await startService({ OWNER_EMAIL: ada.email, OWNER_PASSWORD: ada.password, MEMORY_API: 'off' });
    const page = await (await signedInReader(without, ada)).get('/');
    expect([page.status, page.text.includes('First steps')]).toEqual([200, false]);
    expect(page.text).toContain('Newest receipts');
    const links = [...page.text.matchAll(/href="(\/[^"]*)"/g)].map(([, to = '']) => to.split('?')[0]);
    expect(links.filter((to) => /^\/(memories|m|approvals|connect)\b/.test(to ?? ''))).toEqual([]);
    expect(links).toContain('/receipts');
    await without.stop();
  });

  it('keeps the other parts where the source of one fails', async () => {
    const failed = await part('Plan', async () => {
      throw new Refusal('meter_unavailable');
    });
    expect(failed?.text).toMatch(
      /<h2>Plan<\/h2>.*role="alert".*The usage of the plan cannot be read\..*href="\/">Try again/s,
    );
    await expect(part('Plan', () => Promise.reject(new Error('a fault of ours')))).rejects.toThrow('a fault of ours');
    expect(await part('Plan', async () => undefined)).toBeUndefined();
  });
});
