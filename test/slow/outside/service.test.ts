import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { command } from '../../faults/command.js';
import { type Service, start } from '../../faults/service-process.js';
import { openReceiver, type Receiver } from '../../http/receiver.js';
import { endlessPeers, type OpenPeer, openPeer } from '../../outside/peers.js';
import { quickStore } from '../../support/prepared-store.js';
import { eventually } from '../../support/until.js';

const key = 'ak_peer00000000000000000000000000000';
const owner = { email: 'owner@example.org', password: 'a password of the owner' };
const agent = `agn_${'p'.repeat(32)}`;

let directory: string;
let service: Service;
let receiver: Receiver;
let peers: readonly OpenPeer[];
let env: Record<string, string>;
beforeEach(async () => {
  directory = await quickStore();
  receiver = await openReceiver();
  // As slow as they like to be, and never at their end.
  peers = await Promise.all(endlessPeers.map((peer) => openPeer(peer, 500)));
  const [silent = '', , , , , switching = ''] = peers.map(({ origin }) => origin);
  env = {
    DATA_DIR: directory,
    BOOTSTRAP_API_KEY: key,
    PORT: '0',
    LOG_LEVEL: 'error',
    RATE_LIMITS: 'off',
    OWNER_EMAIL: owner.email,
    OWNER_PASSWORD: owner.password,
    ALLOW_PRIVATE_URLS: '1',
    EMBEDDINGS_URL: silent,
    EMBEDDINGS_MODEL: 'm',
    OTS_CALENDARS: `${silent},${switching}`,
    OIDC_ISSUER: silent,
    OIDC_CLIENT_ID: 'c',
    OIDC_CLIENT_SECRET: 's',
    OAUTH_CLIENT_METADATA: 'on',
  };
  service = await start(env);
});
afterEach(async () => {
  await service.kill();
  await Promise.all([receiver.close(), ...peers.map((peer) => peer.close())]);
  rmSync(directory, { recursive: true });
});

async function ask(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const sent = { authorization: `Bearer ${key}`, ...headers };
  return fetch(`${service.origin}${path}`, { method: 'POST', headers: sent, body: JSON.stringify(body) });
}

/** A webhook of an agent to each of the addresses, in the workspace of this person and key. */
async function hooks(person: typeof owner, by: string, addresses: readonly string[]): Promise<void> {
  const session = await ask('/v1/session', person);
  const cookie = session.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const link = { method: 'POST', headers: { cookie }, body: JSON.stringify({ agent_id: agent }) };
  expect((await fetch(`${service.origin}/v1/agents`, link)).status).toBe(201);
  const headers = { authorization: `Bearer ${by}`, 'x-service-agent': agent };
  for (const webhook_url of addresses) {
    const pattern = { source: 'peer' };
    expect((await ask('/v1/webhooks', { webhook_url, pattern }, headers)).status).toBe(201);
  }
}

/** Another workspace, as the command line makes it. */
async function workspace(): Promise<{ readonly person: typeof owner; readonly key: string }> {
  const { stdout } = await command(env, 'workspaces', 'add', 'other@example.org');
  const [, password = ''] = /password\s+(\S+)/.exec(stdout) ?? [];
  const [other = ''] = /ak_\w+/.exec(stdout) ?? [];
  return { person: { email: 'other@example.org', password }, key: other };
}

test('servers that never end keep neither other workspaces nor a stop waiting', async () => {
  const other = await workspace();
  await hooks(other.person, other.key, [receiver.origin]);
  const origins = [...peers, ...peers].map(({ origin }, at) => `${origin}/${at}`);
  await hooks(owner, key, origins);
  for (let n = 0; n < 5; n += 1)
    expect((await ask('/v1/memories', { content: `m ${n}`, source: 'peer' })).status).toBe(202);
  const waiting = [
    ...peers.map(({ origin }) => ask('/v1/ingest', { kind: 'url', url: origin })),
    ...peers.map(({ origin }) => {
      const client = encodeURIComponent(`${origin}/client.json`);
      return fetch(`${service.origin}/oauth/authorize?client_id=${client}&response_type=code`, { redirect: 'manual' });
    }),
    fetch(`${service.origin}/v1/session/oidc`, { redirect: 'manual' }),
  ].map((asking) => asking.then(({ status }) => status, String));
  await sleep(2000);

  const before = performance.now();
  const headers = { authorization: `Bearer ${other.key}` };
  expect((await ask('/v1/memories', { content: 'of another', source: 'peer' }, headers)).status).toBe(202);
  await receiver.until(1);
  console.log(`another workspace's delivery came after ${Math.round(performance.now() - before)} ms`);

  const asked = performance.now();
  // 1 would mean that the service was still waiting after nine seconds.
  await service.stop();
  expect(service.exitCode()).toBe(0);
  console.log(`the service ended ${Math.round(performance.now() - asked)} ms after SIGTERM`);
  console.log(`requests that waited were answered: ${(await Promise.all(waiting)).join(' ')}`);
});

/** It waits for the deadlines of the service, and the test of all clients shows the same with short ones. */
test.skipIf(process.env.LONG === undefined)(
  'places that such servers had are free again after their deadline',
  async () => {
    await hooks(owner, key, [...peers.map(({ origin }) => origin), receiver.origin]);
    for (let n = 0; n < 6; n += 1) await ask('/v1/memories', { content: `m ${n}`, source: 'peer' });
    await receiver.until(6);
    const tried = async () => (await ask('/v1/ingest', { kind: 'url', url: receiver.origin })).status;
    await Promise.all(peers.map(({ origin }) => ask('/v1/ingest', { kind: 'url', url: origin })));
    receiver.answer((_request, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('a page'));
    expect(await eventually(async () => (await tried()) === 202)).toBe(true);
  },
);
