import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Person } from '../../http/person.js';
import type { Service } from '../../http/service.js';
import { joined, startOwned } from '../../pages/owner.js';
import type { Reader } from '../../pages/reader.js';

describe('the page of rules, without scripts', () => {
  let service: Service;
  let person: Person;
  let owner: Reader;
  let admin: Reader;
  let member: Reader;
  beforeAll(async () => {
    ({ service, person, owner } = await startOwned());
    admin = await joins('grace@example.org', 'admin');
    member = await joins('mem@example.org', 'member');
  });
  afterAll(() => service.stop());

  const joins = (email: string, role: string) => joined(service, person, email, role);

  const send = (who: Reader, fields: Record<string, string>) => who.send('/rules', '/rules', fields);
  const rules = async () => (await person.call('GET', '/v1/rules')).json;
  const set = (ask_owner: readonly object[]) =>
    person.call('PUT', '/v1/rules', { pause_all: false, sensitive: 'redact', ask_owner });
  /** The receipt that the page names after a change. */
  async function receiptAfter(who: Reader, answer: { status: number; headers: Headers }): Promise<string> {
    expect(answer.status).toBe(303);
    const { text } = await who.get(answer.headers.get('location') ?? '');
    const [, id = ''] = /role="status".*?The receipt is <code class="id" title="(rcp_\w+)"/s.exec(text) ?? [];
    expect((await person.call('GET', `/v1/receipts/${id}`)).json).toMatchObject({ kind: 'rules.changed' });
    return id;
  }

  // @covers PAGES-RULES PAGES-PAUSED
  it('pause all agents and resume them, with the receipt, and say it above each page meanwhile', async () => {
    const id = await receiptAfter(owner, await send(owner, { do: 'pause' }));
    expect((await rules()).pause_all).toBe(true);
    const page = await owner.get('/rules');
    expect(page.text).toMatch(new RegExp(`<dt>By</dt><dd><bdi>ada@example.org</bdi>.*title="${id}"`, 's'));
    for (const who of [owner, admin, member]) {
      const { text } = await who.get('/approvals');
      expect(text).toMatch(/<aside class="banner".*All agents were paused.*<bdi>ada@example.org<\/bdi>/);
      expect(text.includes('<a href="/rules">Resume them</a>')).toBe(who === owner);
    }
    await receiptAfter(owner, await send(owner, { do: 'resume' }));
    expect([(await rules()).pause_all, (await owner.get('/approvals')).text.includes('class="banner"')]).toEqual([
      false,
      false,
    ]);
  });

  // @covers PAGES-RULES
  it('offer admins no pause and refuse it all the same; members are refused the page', async () => {
    const page = await admin.get('/rules');
    expect([page.text.includes('Only an owner pauses'), page.text.includes('value="pause"')]).toEqual([true, false]);
    const refused = await send(admin, { do: 'pause' });
    expect([refused.status, refused.text.includes('Only the owner pauses and resumes every agent.')]).toEqual([
      403,
      true,
    ]);
    await send(owner, { do: 'pause' });
    expect((await send(admin, { do: 'resume' })).status).toBe(403);
    expect((await rules()).pause_all).toBe(true);
    // Everything else stays with admins during a pause, and leaves it as it is.
    await receiptAfter(admin, await send(admin, { do: 'sensitive', sensitive: 'reject' }));
    expect(await rules()).toMatchObject({ pause_all: true, sensitive: 'reject' });
    await send(owner, { do: 'resume' });
    expect([(await member.get('/rules')).status, (await member.get('/approvals')).text.includes('/rules')]).toEqual([
      403,
      false,
    ]);
    const forged = await member.post('/rules', { do: 'pause' });
    expect([forged.status, (await rules()).pause_all]).toEqual([403, false]);
  });

  // @covers PAGES-RULES
  it('add rules and remove one, and say them in sentences', async () => {
    const { json: notes } = await person.call('POST', '/v1/namespaces', { name: 'notes' });
    await receiptAfter(
      admin,
      await send(admin, { do: 'add', source: 'crawler', namespace_id: notes.id, min_bytes: '1000' }),
    );
    await receiptAfter(admin, await send(admin, { do: 'add', app_id: 'importer' }));
    const { text } = await admin.get('/rules');
    expect(text.replaceAll(/<\/?(strong|bdi)[^>]*>/g, '')).toContain(
      'Writes of source crawler to namespace notes of at least 1,000 bytes wait for an owner or admin.',
    );
    await receiptAfter(admin, await send(admin, { do: 'remove', at: '0' }));
    expect((await rules()).ask_owner).toEqual([{ app_id: 'importer' }]);
    const same = await send(admin, { do: 'add', app_id: 'importer' });
    expect([same.status, same.text.includes('There is such a rule already.')]).toEqual([400, true]);
    for (const wrong of [
      { do: 'add' },
      { do: 'add', min_bytes: '1,000' },
      { do: 'add', min_bytes: '0' },
      { do: 'add', namespace_id: 'notes' },
      { do: 'add', source: 'x'.repeat(1025) },
      { do: 'remove', at: '7' },
      { do: 'remove', at: '' },
      { do: 'sensitive', sensitive: 'keep' },
      { do: 'everything' },
    ]) {
      const answer = await send(admin, wrong);
      expect([wrong, answer.status, answer.text.includes('role="alert"')]).toEqual([wrong, 400, true]);
    }
    expect((await send(admin, { do: 'add', min_bytes: '1,000' })).text).toContain('value="1,000"');
    expect((await rules()).ask_owner).toEqual([{ app_id: 'importer' }]);
  });

  // @covers PAGES-RULES
  it('refuse a change of rules that someone else has changed meanwhile, and keep what was typed', async () => {
    await set([{ source: 'first' }, { source: 'second' }]);
    const hidden = (await admin.get('/rules')).hidden('/rules');
    await set([{ source: 'second' }]);
    // The page of the admin shows the first rule at this place; the second would go.
    for (const fields of [
      { do: 'remove', at: '0' },
      { do: 'add', source: 'third', min_bytes: '12' },
    ]) {
      const answer = await admin.post('/rules', { ...hidden, ...fields });
      expect([answer.status, answer.text.includes('were changed after this page was opened')]).toEqual([409, true]);
    }
    expect((await rules()).ask_owner).toEqual([{ source: 'second' }]);
    const kept = await admin.post('/rules', { ...hidden, do: 'add', source: 'third' });
    expect(kept.text).toContain('name="source" value="third"');
    const again = await admin.post('/rules', { ...kept.hidden('/rules'), do: 'add', source: 'third' });
    expect([again.status, (await rules()).ask_owner]).toEqual([303, [{ source: 'second' }, { source: 'third' }]]);
  });

  it('continue when the namespace of a rule is deleted', async () => {
    const { json: gone } = await person.call('POST', '/v1/namespaces', { name: 'short-lived' });
    await set([{ namespace_id: gone.id }, { source: 'crawler' }]);
    await person.call('DELETE', `/v1/namespaces/${gone.id}`);
    expect((await admin.get('/rules')).text).toContain('a namespace that was deleted');
    await receiptAfter(admin, await send(admin, { do: 'add', source: 'mail' }));
    expect((await rules()).ask_owner).toEqual([{ source: 'crawler' }, { source: 'mail' }]);
  });

  // @covers PAGES-ESCAPED
  it('show hostile names as text, and believe no receipt of an address', async () => {
    const hostile = '<img src=x onerror=alert(1)>\u202e';
    await set([{ source: hostile, agent_id: '"><script>', app_id: "'&" }]);
    const { text } = await admin.get('/rules');
    expect(text).not.toMatch(/<img|<script>/);
    expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;<span class="mark">U+202E</span>');
    const typed = await send(admin, { do: 'add', source: hostile, min_bytes: '"><script>' });
    expect([typed.status, /<img|<script>/.test(typed.text)]).toEqual([400, false]);
    for (const id of ['rcp_wrong', '<b>', '']) {
      const page = await admin.get(`/rules?receipt=${encodeURIComponent(id)}`);
      expect([id, page.status, page.text.includes('role="status"')]).toEqual([id, 200, false]);
    }
  });
});
