import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { feedNames } from '../../../src/domain/market/feeds/all.js';
import { all, may, type Route } from '../../http/all-routes.js';
import { ask } from '../../http/ask.js';
import { administration } from '../../http/keys.js';
import { type Person, signedIn } from '../../http/person.js';
import { type Service, startService } from '../../http/service.js';
import { checkReply } from '../../openapi/check.js';
import { remember } from '../../openapi/seen.js';

const agentId = `agn_${'a'.repeat(32)}`;

describe('every route refuses as it says', () => {
  let service: Service;
  let owner: Person;
  let noOne: Person;
  let gone: string;
  beforeAll(async () => {
    service = await startService();
    const admin = administration(service);
    const { workspaceId } = await admin.first();
    [owner, noOne] = [
      await signedIn(service, await admin.member(workspaceId, 'owner')),
      await signedIn(service, await admin.member(workspaceId, 'none')),
    ];
    await owner.call('POST', '/v1/agents', { agent_id: agentId });
    const leaving = await signedIn(service, await admin.member(workspaceId, 'owner'));
    gone = leaving.cookie();
    await leaving.call('DELETE', '/v1/session');
  });
  afterAll(() => service.stop());

  const send = async (
    { method, url }: Pick<Route, 'method' | 'url'>,
    headers: Record<string, string>,
    body?: string | Uint8Array,
  ) => {
    const init = { headers, ...(body === undefined ? {} : { body }) };
    const { status, json } = await ask(service.app.server.listeningOrigin, method, url, init);
    return [status, json?.error?.code];
  };
  /** In the name of an agent, because some routes ask for one. One route reads bodies by their type. */
  const asOwner = () => ({
    cookie: owner.cookie(),
    'x-service-agent': agentId,
    'content-type': 'application/json',
  });

  it.each(may('invalid_json'))('$name: a body that is no JSON', async (route) => {
    const bytes = new Uint8Array([0xff, 0xfe]);
    // Signing out reads no body, and looks only at how it is compressed.
    const encoding = route.name === 'DELETE /v1/session' ? { 'content-encoding': 'gzip' } : {};
    expect(await send(route, { ...asOwner(), ...encoding }, bytes)).toEqual([400, 'invalid_json']);
  });

  // @covers LIMIT-BODY
  it.each(may('body_too_large'))('$name: a body that is too large', async (route) => {
    expect(await send(route, asOwner(), new Uint8Array(8 * 1024 * 1024 + 1))).toEqual([413, 'body_too_large']);
  });

  // @covers MEM-RUN-LIMIT
  it.each(may('agent_not_linked'))('$name: headers that are wrong', async (route) => {
    const run = { 'x-service-run': 'x'.repeat(129) };
    expect(await send(route, { ...asOwner(), ...run })).toEqual([400, 'invalid_request']);
    expect(await send(route, { ...asOwner(), 'x-service-agent': 'agn_unknown' })).toEqual([403, 'agent_not_linked']);
    expect(await send(route, { authorization: 'Bearer vk_1' })).toEqual([403, 'credential_not_supported']);
    expect(await send(route, { cookie: noOne.cookie() })).toEqual([403, 'workspace_role_required']);
  });

  it.each(may('session_expired'))('$name: a session that has ended, and none', async (route) => {
    expect(await send(route, { cookie: gone })).toEqual(
      // Signing out twice does no harm.
      route.name === 'DELETE /v1/session' ? [200, undefined] : [401, 'session_expired'],
    );
    expect(await send(route, {})).toEqual([401, 'unauthorized']);
  });

  it.each(may('csrf'))('$name: a request of another site', async (route) => {
    const evil = { ...asOwner(), origin: 'https://evil.example' };
    const body = route.name === 'POST /v1/session' ? '{"email":"a@b","password":"c"}' : undefined;
    expect(await send(route, evil, body)).toEqual([403, 'csrf']);
  });

  it.each(may('route_not_found'))('$name: an address that cannot be read', async ({ method, path }) => {
    const url = path.replace(/\{\w+\}/g, '%ff');
    expect(await send({ method, url }, asOwner())).toEqual([404, 'route_not_found']);
  });

  // @covers ERROR-JSON-ANY-TYPE
  it('no matter what a body says it is, it is read as JSON', async () => {
    for (const type of [';', 'json', 'text/plain', 'multipart/form-data', '*/*', 'application/json; charset=utf-16']) {
      const body = JSON.stringify({ content: `said to be ${type}` });
      expect(await send({ method: 'POST', url: '/v1/memories' }, { ...asOwner(), 'content-type': type }, body)).toEqual(
        [202, undefined],
      );
    }
  });
});

it('every route refuses who asks too often', async () => {
  const service = await startService({ RATE_LIMITS: 'on' });
  const origin = service.app.server.listeningOrigin;
  const use = (times: number, path: string) =>
    Promise.all(Array.from({ length: times }, () => ask(origin, 'GET', path)));
  // The files of the public log have a budget of their own.
  await use(300, '/v1/memories');
  await use(1200, '/v1/ledger/keys');
  for (const { method, url, name } of all) expect([name, (await ask(origin, method, url)).status]).toEqual([name, 429]);
  await service.stop();
});

/** Everything that the routes say while the store cannot be asked. */
const whileAway = ['not_ready', 'memory_unavailable', 'recall_receipt_unavailable', 'receipt_unavailable'];

// @covers ERR-internal_error
it('no route hides that something failed on our side', async () => {
  const service = await startService({ LOG_LEVEL: 'silent' });
  const { app } = service;
  const origin = app.server.listeningOrigin;
  const admin = administration(service);
  const person = await signedIn(service, await admin.member((await admin.first()).workspaceId, 'owner'));
  await app.database.close();
  const unready = await ask(origin, 'GET', '/readyz');
  expect([unready.status, unready.json]).toEqual([
    503,
    { status: 'not_ready', version: expect.any(String), missing: ['the database does not answer'], warnings: [] },
  ]);
  // Signing in elsewhere asks this database for nothing, and without a provider it is not there. A challenge is sealed and
  // not stored.
  const publicId = `rcp_${'0'.repeat(32)}`;
  const bodies: Readonly<Record<string, string>> = {
    'POST /v1/session': '{"email":"a@b","password":"c"}',
    'POST /v1/agent-id': `{"public_key":"${'0123456789abcdef'.repeat(4)}"}`,
  };
  const without = ['/v1/session/oidc', '/v1/agent-id/challenge'];
  // The newest feeds and the widgets are figures in memory.
  const inMemory = new Set([
    ...feedNames.map((feed) => `/v1/${feed}`),
    '/v1/embed/composite.svg',
    '/v1/embed/ticker.svg',
  ]);
  const asking = all.filter(({ path }) => !inMemory.has(path) && !without.some((begin) => path.startsWith(begin)));
  for (const { method, url, name } of asking) {
    const body = method === 'GET' ? undefined : (bodies[name] ?? '{}');
    const init = { headers: { cookie: person.cookie() }, ...(body === undefined ? {} : { body }) };
    const found = url
      .replace('/tile/x', '/tile/0/000.p/1')
      .replace('/terminal/closes/x', '/terminal/closes/2026-01-15')
      .replace('/agent-id/x/', `/agent-id/agn_${'a'.repeat(32)}/`)
      .replace('/feedback/x.json', '/feedback/2026-01-15.json')
      .replace('/registry/receipts/x', `/registry/receipts/${publicId}`);
    const { status, json } = await ask(origin, method, found, init);
    expect([name, status]).toEqual([name, 503]);
    expect([name, whileAway.includes(json?.error?.code)]).toEqual([name, true]);
  }
  await app.server.close();
});

/** Sends a request behind one that is in progress on the same connection, and gives the second answer. */
async function behind(service: Service, { method, url }: Route, stop: Promise<unknown>): Promise<string> {
  const { port, hostname } = new URL(service.app.server.listeningOrigin);
  const socket = connect(Number(port), hostname);
  let heard = '';
  socket.setEncoding('latin1').on('data', (text) => {
    heard += text;
  });
  const ended = new Promise((resolve) => socket.once('close', resolve));
  socket.write('POST /v1/receipts/verify HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n{');
  await stop;
  socket.write(`}${method} ${url} HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n`);
  await ended;
  return heard.split('HTTP/1.1 ')[2] ?? '';
}

// @covers ERR-not_ready
it('every route refuses while the service stops', async () => {
  const service = await startService();
  let report = () => {};
  const reported = new Promise<void>((resolve) => {
    report = resolve;
  });
  const answers = all.map((route) => behind(service, route, reported));
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const stopped = service.stop();
  await new Promise((resolve) => setTimeout(resolve, 200));
  report();
  for (const [at, text] of (await Promise.all(answers)).entries()) {
    const { method, url: path, name } = all[at] ?? { method: '', url: '', name: '' };
    const [head = '', body = ''] = text.split('\r\n\r\n');
    const lines = head.split('\r\n').slice(1);
    const headers = new Headers(
      lines.map((line): [string, string] => [line.replace(/: .*/, ''), line.replace(/^.*?: /, '')]),
    );
    const { operation, code, faults } = checkReply({
      method,
      path,
      status: Number(head.slice(0, 3)),
      headers,
      text: body,
    });
    remember({ method, path: operation?.path ?? null, status: Number(head.slice(0, 3)), code });
    expect([name, head.slice(0, 3), code, ...faults]).toEqual([name, '503', 'not_ready']);
  }
  await stopped;
});
