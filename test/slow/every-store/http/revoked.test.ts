import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { code, usePeople } from '../../../http/people.js';
import { signedIn } from '../../../http/person.js';
import { stores } from '../../../support/stores.js';

type Change = () => Promise<unknown>;

/** That rights which were taken are gone at once: with the next call, and for calls that are in progress. */
describe.each(stores)('rights that were taken on %s', () => {
  const people = usePeople();
  const owner = (method: string, path: string, body?: object) => people.as('owner').call(method, path, body);
  const bind = (id: string, namespace_ids: string[]) => owner('PUT', `/v1/keys/${id}/namespaces`, { namespace_ids });
  const count = async () => (await owner('GET', '/v1/memories/export?limit=1000')).json.data.length;

  /** Sends the head of a request, changes something once the caller is known, then sends the body. */
  async function meanwhile(headers: Record<string, string>, path: string, body: object, change: Change) {
    const { port, hostname } = new URL(people.service().app.server.listeningOrigin);
    const text = JSON.stringify(body);
    const socket = connect(Number(port), hostname);
    let heard = '';
    socket.setEncoding('utf8').on('data', (part) => {
      heard += part;
    });
    const ended = new Promise((resolve) => socket.once('close', resolve));
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(
      `POST ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: ${text.length}\r\n${lines.join('')}\r\n`,
    );
    await new Promise((resolve) => setTimeout(resolve, 300));
    await change();
    socket.write(text);
    await ended;
    const [head = '', answer = ''] = heard.split('\r\n\r\n');
    return [Number(head.slice(9, 12)), JSON.parse(answer).error?.code ?? null];
  }
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

  // @covers AUTH-KEY-REVOKED
  it('keeps a key from everything with its next call', async () => {
    const write = (key: string, n: number) => people.withKey(key, 'POST', '/v1/memories', { content: `revoked ${n}` });
    const { key, key_id } = await people.newKey();
    const other = await people.namespaceNamed('elsewhere');
    for (let n = 0; n < 5; n += 1) {
      await bind(key_id, ['default']);
      expect((await write(key, n)).status).toBe(202);
      await bind(key_id, [other]);
      expect(code(await write(key, n))).toEqual([403, 'namespace_out_of_scope']);
      await bind(key_id, []);
      expect(code(await people.withKey(key, 'GET', '/v1/usage'))).toEqual([403, 'key_has_no_namespaces']);
    }
    await owner('DELETE', `/v1/keys/${key_id}`);
    expect(code(await people.withKey(key, 'GET', '/v1/usage'))).toEqual([401, 'unauthorized']);
  });

  // @covers AUTH-REVOKED-UNDER-WAY
  it('refuses what a key has in progress', async () => {
    const other = await people.namespaceNamed('another place');
    const before = await count();
    const under = async (change: (id: string) => Change, path = '/v1/memories', body: object = { content: 'late' }) => {
      const { key, key_id } = await people.newKey();
      return meanwhile(bearer(key), path, body, change(key_id));
    };
    const revoke = (id: string) => () => owner('DELETE', `/v1/keys/${id}`);
    expect(await under(revoke)).toEqual([401, 'unauthorized']);
    expect(await under((id) => () => bind(id, [other]))).toEqual([403, 'namespace_out_of_scope']);
    expect(await under((id) => () => bind(id, []))).toEqual([403, 'key_has_no_namespaces']);
    const [search, query] = ['/v1/memories/search', { query: 'late' }];
    expect(await under(revoke, search, query)).toEqual([401, 'unauthorized']);
    expect(await under((id) => () => bind(id, [other]), search, query)).toEqual([403, 'namespace_out_of_scope']);
    expect(await count()).toBe(before);
    expect(await under((id) => () => bind(id, ['default', other]))).toEqual([202, null]);
  });

  // @covers AUTH-REVOKED-UNDER-WAY
  it('refuses what people and agents have in progress', async () => {
    const before = await count();
    const member = async () =>
      signedIn(people.service(), await people.admin().member(people.first().workspaceId, 'member'));
    const under = async (change: (id: string) => Change) => {
      const person = await member();
      const { id } = (await person.call('GET', '/v1/session')).json.user;
      return meanwhile({ cookie: person.cookie() }, '/v1/memories', { content: 'late too' }, change(id));
    };
    const role = (to: string) => (id: string) => () => owner('PATCH', `/v1/members/${id}`, { role: to });
    expect(await under(role('reader'))).toEqual([403, 'read_only']);
    expect(await under(role('none'))).toEqual([403, 'workspace_role_required']);
    expect(await under((id) => () => owner('DELETE', `/v1/members/${id}`))).toEqual([401, 'session_expired']);
    const agent = `agn_${'d'.repeat(32)}`;
    const link = (await owner('POST', '/v1/agents', { agent_id: agent })).json.id;
    const { key } = await people.newKey();
    const headers = { ...bearer(key), 'x-service-agent': agent };
    const unlink = () => owner('DELETE', `/v1/agents/${link}`);
    expect(await meanwhile(headers, '/v1/memories', { content: 'late too' }, unlink)).toEqual([
      403,
      'agent_not_linked',
    ]);
    expect(await count()).toBe(before);
  });
});
