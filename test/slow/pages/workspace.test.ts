import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importMemories } from '../../../src/cli/import.js';
import { openRange } from '../../../src/verifier/range.js';
import type { Person } from '../../http/person.js';
import { apiKey, type Service } from '../../http/service.js';
import { ada, joined, startOwned } from '../../pages/owner.js';
import { type Reader, recordedAt, signedInReader } from '../../pages/reader.js';

describe('the pages of people, namespaces, settings, account and operations, without scripts', () => {
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

  const get = async (path: string) => (await person.call('GET', path)).json;
  const idOf = async (email: string): Promise<string> =>
    (await get('/v1/members')).data.find((one: { email: string }) => one.email === email)?.id;
  const kindAt = async (location: string | null) => {
    const [, id = ''] = /receipt=(rcp_\w+)/.exec(location ?? '') ?? [];
    return (await get(`/v1/receipts/${id}`)).kind;
  };
  const secretIn = (text: string) => /<p class="secret"><code>([^<]+)<\/code>/.exec(text)?.[1] ?? '';

  it('add a person, whose password is shown once and works; change the role; remove them', async () => {
    const form = (await admin.get('/people')).hidden('/people');
    const fields = { ...form, email: ' new@example.org ', role: 'reader' };
    const made = await admin.post('/people', fields);
    expect([made.status, made.text.includes('<script'), made.text.includes('class="recorded"')]).toEqual([
      200,
      false,
      true,
    ]);
    const password = secretIn(made.text);
    const found = await signedInReader(service, { email: 'new@example.org', password });
    expect((await found.get('/memories')).status).toBe(200);
    // Sent a second time, the same form adds no one and shows no password.
    const again = await admin.post('/people', fields);
    expect([again.status, secretIn(again.text)]).toEqual([303, '']);
    const path = `/people/${await idOf('new@example.org')}`;
    expect((await admin.get('/people')).text).toContain(
      `<a class="whole" href="${path}"><bdi>new@example.org</bdi></a>`,
    );
    const changed = await admin.send(path, path, { do: 'role', role: 'member' });
    expect([changed.headers.get('location'), await kindAt(changed.headers.get('location'))]).toEqual([
      recordedAt(path),
      'member.changed',
    ]);
    const same = await admin.send(path, path, { do: 'role', role: 'member' });
    expect((await admin.get(same.headers.get('location') ?? '')).text).toContain('Nothing was changed');
    const removed = await admin.send(path, path, { do: 'remove' });
    expect(removed.headers.get('location')).toEqual(recordedAt('/people'));
    expect([(await found.get('/memories')).status, (await admin.get(path)).status]).toEqual([303, 404]);
  });

  it('refuse people as the API does, with what was typed still there', async () => {
    const wrong = await owner.send('/people', '/people', { email: 'no address', role: 'admin' });
    expect([wrong.status, wrong.text.includes('value="no address"'), /value="admin" checked/.test(wrong.text)]).toEqual(
      [400, true, true],
    );
    const twice = await owner.send('/people', '/people', { email: 'mem@example.org', role: 'member' });
    expect([twice.status, twice.text.includes('<code>member_exists</code>')]).toEqual([409, true]);
    const own = `/people/${await idOf(ada.email)}`;
    const last = await owner.send(own, own, { do: 'role', role: 'reader' });
    expect([last.status, last.text.includes('<code>last_owner</code>')]).toEqual([409, true]);
    expect([(await member.get('/people')).status, (await member.get(own)).status]).toEqual([403, 403]);
    expect((await owner.get('/people/01a22317-0000-7000-8000-000000000000')).status).toBe(404);
    expect((await owner.get('/people/x')).status).toBe(404);
  });

  it('make, rename and delete a namespace, whose memories are moved after its name was typed', async () => {
    const made = await admin.send('/namespaces', '/namespaces', { name: 'letters' });
    expect(await kindAt(made.headers.get('location'))).toBe('namespace.created');
    const taken = await admin.send('/namespaces', '/namespaces', { name: 'letters' });
    expect([taken.status, taken.text.includes('<code>namespace_name_conflict</code>')]).toEqual([409, true]);
    const { data } = await get('/v1/namespaces');
    const { id } = data.find((one: { name: string }) => one.name === 'letters');
    const { id: first } = data.find((one: { is_default: boolean }) => one.is_default);
    const path = `/namespaces/${id}`;
    const renamed = await admin.send(path, path, { do: 'rename', name: 'post' });
    expect(renamed.headers.get('location')).toEqual(recordedAt(path));
    for (const n of [1, 2]) await person.call('POST', '/v1/memories', { content: `Letter ${n}.`, namespace: 'post' });
    expect((await member.get('/namespaces')).text).toMatch(/<bdi dir="auto">post<\/bdi>.*<td class="number">2<\/td>/s);
    const wrong = await admin.send(path, path, { do: 'delete', move_to: first, typed: 'letters' });
    expect([wrong.status, wrong.text.includes('is not the name of this namespace')]).toEqual([400, true]);
    expect((await get(`/v1/namespaces/${id}`)).name).toBe('post');
    const deleted = await admin.send(path, path, { do: 'delete', move_to: first, typed: 'post' });
    expect([deleted.headers.get('location'), await kindAt(deleted.headers.get('location'))]).toEqual([
      recordedAt('/namespaces'),
      'namespace.deleted',
    ]);
    expect((await get('/v1/memories')).data.map((one: { namespace_id: string }) => one.namespace_id)).toEqual([
      first,
      first,
    ]);
    expect([
      (await admin.get(path)).status,
      (await admin.get(`/namespaces/${first}`)).text.includes('value="delete"'),
    ]).toEqual([404, false]);
  });

  it('show members the namespaces without any way to change them', async () => {
    const page = await member.get('/namespaces');
    expect([page.status, page.text.includes('<form method="post" action="/namespaces"')]).toEqual([200, false]);
    const { id } = (await get('/v1/namespaces')).data[0];
    expect((await member.get(`/namespaces/${id}`)).status).toBe(403);
  });

  it('change the password and end sessions; a wrong password changes nothing', async () => {
    const who = { email: 'own@example.org', password: 'the first password' };
    await person.call('POST', '/v1/members', { ...who, role: 'reader' });
    const [here, there, third] = [
      await signedInReader(service, who),
      await signedInReader(service, who),
      await signedInReader(service, who),
    ];
    const page = await here.get('/account');
    expect([page.text.includes('<script'), page.text.match(/>this one</g)?.length]).toEqual([false, 1]);
    const [, other = ''] = /name="session_id" value="([^"]+)"/.exec(page.text) ?? [];
    const ended = await here.send('/account', '/account', { do: 'end', session_id: other });
    expect(ended.headers.get('location')).toBe('/account?ended=1');
    const alive = async () =>
      (await Promise.all([there, third].map(async (one) => (await one.get('/account')).status))).sort();
    expect(await alive()).toEqual([200, 303]);
    await here.send('/account', '/account', { do: 'others' });
    expect(await alive()).toEqual([303, 303]);
    const change = (fields: Record<string, string>) => here.send('/account', '/account', { do: 'password', ...fields });
    const next = 'the second password';
    const differs = await change({ old_password: who.password, new_password: next, again: 'another password' });
    expect([differs.status, differs.text.includes('The two new passwords differ')]).toEqual([400, true]);
    expect(differs.text).not.toContain(next);
    expect((await change({ old_password: 'not this one', new_password: next, again: next })).status).toBe(401);
    const changed = await change({ old_password: who.password, new_password: next, again: next });
    expect(changed.headers.get('location')).toEqual(recordedAt('/account?changed'));
    await signedInReader(service, { ...who, password: next });
    await expect(signedInReader(service, who)).rejects.toThrow('401');
  });

  it('rename the workspace, publish and stop, and add and remove a key of attestations', async () => {
    const send = async (fields: Record<string, string>) => {
      const answer = await admin.send('/settings', '/settings', fields);
      return answer.status === 303 ? kindAt(answer.headers.get('location')) : [answer.status, answer.text];
    };
    expect(await send({ do: 'rename', name: 'Porto office' })).toBe('workspace.renamed');
    expect(await send({ do: 'publish' })).toBe('workspace.publishing_changed');
    expect((await get('/v1/workspace')).publish_task_receipts).toBe(true);
    expect((await admin.get('/settings')).text).toContain('New task receipts are public');
    expect(await send({ do: 'stop' })).toBe('workspace.publishing_changed');
    expect(await get('/v1/workspace')).toMatchObject({ name: 'Porto office', publish_task_receipts: false });
    const public_key = 'z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw';
    expect(await send({ do: 'add', public_key, key_name: 'Build robot' })).toBe('attestation_key.added');
    const [one] = (await get('/v1/attestation-keys')).data;
    expect(one).toMatchObject({ name: 'Build robot', public_key });
    expect(await send({ do: 'add', public_key: '{"kty":', key_name: 'x' })).toEqual([
      400,
      expect.stringContaining('<code>invalid_public_key</code>'),
    ]);
    expect(await send({ do: 'remove', key_id: one.id })).toBe('attestation_key.removed');
    expect(await send({ do: 'dance' })).toEqual([400, expect.stringContaining('names no change')]);
    expect((await member.get('/settings')).status).toBe(403);
  });

  it('export all memories as one file that the import takes, and all receipts as one chain', async () => {
    for (let n = 0; n < 3; n += 1)
      await person.call('POST', '/v1/memories', { content: `A memory to export, ${n}.`, metadata: { big: 1 } });
    const file = await owner.get('/settings/memories.jsonl');
    expect([file.status, file.headers.get('content-disposition')]).toEqual([
      200,
      'attachment; filename="memories.jsonl"',
    ]);
    const directory = mkdtempSync(join(tmpdir(), 'counterfoil-export-'));
    const path = join(directory, 'memories.jsonl');
    writeFileSync(path, file.text);
    const said: string[] = [];
    const remote = { url: service.app.server.listeningOrigin, key: apiKey };
    const out = (text: string) => said.push(text);
    expect(await importMemories(path, remote, { stdin: process.stdin, out, err: out })).toBe(0);
    rmSync(directory, { recursive: true });
    expect(said.join()).toMatch(/Already there +5\nRedacted/);
    const receipts = await owner.get('/settings/receipts.jsonl');
    const range = openRange();
    for (const line of receipts.text.split('\n').filter((text) => text !== '')) range.take(Buffer.from(line, 'utf8'));
    const { fault, size } = range.range();
    expect([fault, size]).toEqual([null, (await get('/v1/receipts?limit=1')).data[0].seq]);
    expect([
      (await member.get('/settings/memories.jsonl')).status,
      (await member.get('/settings/receipts.jsonl')).status,
    ]).toEqual([403, 403]);
  });

  it('show operations to those who run the service, and neither the page nor its link to others', async () => {
    const page = await owner.get('/operations');
    expect([page.status, page.text.includes('Takes writes'), page.text.includes('href="/operations"')]).toEqual([
      200,
      true,
      true,
    ]);
    for (const who of [admin, member]) {
      const [own, other] = [await who.get('/operations'), await who.get('/receipts')];
      expect([own.status, other.text.includes('href="/operations"')]).toEqual([403, false]);
    }
  });
});
