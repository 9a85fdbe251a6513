import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Person, signedIn } from '../../http/person.js';
import type { Service } from '../../http/service.js';
import { startOwned } from '../../pages/owner.js';
import { type Reader, signedInReader } from '../../pages/reader.js';

describe('the page of one approval, without scripts', () => {
  let service: Service;
  let person: Person;
  let owner: Reader;
  beforeAll(async () => {
    ({ service, person, owner } = await startOwned());
  });
  afterAll(() => service.stop());

  async function joined(email: string, role: string) {
    const { json } = await person.call('POST', '/v1/members', { email, role });
    const who = { email, password: json.password };
    return { reads: await signedInReader(service, who), person: await signedIn(service, who) };
  }
  async function write(source: string, count: number): Promise<string[]> {
    const ids: string[] = [];
    for (let made = 0; made < count; made += 1) {
      const { json } = await service.call('POST', '/v1/memories', { content: `<i>${source}</i> ${made}`, source });
      ids.push(json.memory_id);
    }
    return ids;
  }
  async function asked(by: Person, path: string, body: object): Promise<string> {
    return (await by.call('POST', path, body)).json.error.details.approval_id;
  }
  const act = (who: Reader, id: string, act: string) => who.send(`/approvals/${id}`, `/approvals/${id}`, { do: act });
  const left = async (source: string) =>
    (await person.call('GET', `/v1/memories?source=${source}&limit=100`)).json.data.length;

  // @covers PAGES-APPROVAL
  it('show every memory of a delete by pages, decide it, and carry it out for the requester', async () => {
    await write('old', 52);
    const id = await asked(person, '/v1/memories/delete', { filters: { source: 'old' } });
    const page = await owner.get(`/approvals/${id}`);
    expect(page.text.match(/&lt;i&gt;old&lt;\/i&gt;/g)).toHaveLength(50);
    const [, next = ''] = /href="(\/approvals\/apr_\w+\?after=[^"]+)"/.exec(page.text) ?? [];
    expect((await owner.get(next)).text.match(/&lt;i&gt;old&lt;\/i&gt;/g)).toHaveLength(2);
    // The only owner may decide an own request.
    expect(page.text).toContain('May decide: <bdi>ada@example.org</bdi>');
    const early = await act(owner, id, 'carry out');
    expect([early.status, await left('old')]).toEqual([403, 52]);
    const approved = await act(owner, id, 'approve');
    const after = await owner.get(approved.headers.get('location') ?? '');
    expect(after.text).toMatch(
      /role="status".*Approved\. The receipt of the decision is <a class="id" href="\/receipts\/rcp_/s,
    );
    expect(after.text).toContain('Carry out: delete 52 memories');
    const out = await act(owner, id, 'carry out');
    const end = await owner.get(out.headers.get('location') ?? '');
    expect([out.status, await left('old')]).toEqual([303, 0]);
    expect(end.text).toContain('52 of 52 memories are deleted.');
    const [, receipt = ''] = /class="recorded".*href="\/receipts\/(rcp_\w+)"/.exec(end.text) ?? [];
    expect((await person.call('GET', `/v1/receipts/${receipt}`)).json).toMatchObject({ kind: 'memory.delete' });
    expect([end.text.includes('value="carry out"'), end.text.includes('was destroyed')]).toEqual([false, true]);
  });

  // @covers PAGES-APPROVAL
  it('carry out a delete by ids, for its requester only', async () => {
    const { reads, person: member } = await joined('mem@example.org', 'member');
    const ids = await write('two', 2);
    const id = await asked(member, '/v1/memories/bulk-delete', { ids });
    const waits = await reads.get(`/approvals/${id}`);
    expect([
      waits.text.includes('An owner or admin of the workspace decides.'),
      waits.text.includes('approve"'),
    ]).toEqual([true, false]);
    await act(owner, id, 'approve');
    const others = await owner.get(`/approvals/${id}`);
    expect(others.text).toContain('The requester can now send the request again');
    expect(others.text).not.toContain('value="carry out"');
    const out = await act(reads, id, 'carry out');
    expect([out.status, await left('two')]).toEqual([303, 0]);
    expect((await reads.get(out.headers.get('location') ?? '')).text).toContain('2 of 2 memories are deleted.');
    // An address says nothing that did not happen.
    const ids2 = await write('three', 1);
    const kept = await asked(member, '/v1/memories/bulk-delete', { ids: ids2 });
    expect((await reads.get(`/approvals/${kept}?carried&decided`)).text).not.toContain('role="status"');
  });

  // @covers PAGES-APPROVAL
  it('say whose decision it is, and hide requests of others', async () => {
    const grace = await joined('grace@example.org', 'admin');
    const other = await joined('eve@example.org', 'member');
    const [memory] = await write('four', 1);
    const id = await asked(grace.person, '/v1/memories/bulk-delete', { ids: [memory] });
    const own = await grace.reads.get(`/approvals/${id}`);
    expect(own.text).toContain('This request is your own. Another owner or admin has to decide about it.');
    expect(own.text).toContain('May decide: <bdi>ada@example.org</bdi>');
    expect(own.text).not.toContain('value="approve"');
    for (const at of [id, 'apr_wrong', '<b>']) {
      const page = await other.reads.get(`/approvals/${encodeURIComponent(at)}`);
      expect([at, page.status, page.text.includes('<b>')]).toEqual([at, 404, false]);
    }
    const rejected = await act(owner, id, 'reject');
    expect([rejected.status, await left('four')]).toEqual([303, 1]);
    expect((await owner.get('/approvals')).text).toContain(`href="/approvals/${id}?from=%2Fapprovals"`);
    expect((await owner.get(`/approvals?show=${id}`)).headers.get('location')).toBe(`/approvals/${id}`);
  });
});
