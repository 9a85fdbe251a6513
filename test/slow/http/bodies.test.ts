import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stallBodies } from '../../../ops/bench/stall-bodies.js';
import { stallReceipts } from '../../../ops/bench/stall-receipts.js';
import { all, type Route } from '../../http/all-routes.js';
import { ask } from '../../http/ask.js';
import { administration } from '../../http/keys.js';
import { type Person, signedIn } from '../../http/person.js';
import { type Service, startService } from '../../http/service.js';

const agentId = `agn_${'a'.repeat(32)}`;
const uuid = '018f0000-0000-7000-8000-000000000000';

/**
 * Signing out looks at no body, what is verified is a bundle, which has rules of its own, and task receipts and spans may
 * have any members.
 */
const others = ['DELETE /v1/session', 'POST /v1/receipts/verify', 'POST /v1/receipts', 'POST /v1/otlp/v1/traces'];
const takingBodies = all.filter(({ method, name }) => method !== 'GET' && !others.includes(name));

/** Everything that callers send as bodies: too much of it, and what no route takes. */
describe('bodies', () => {
  let service: Service;
  let owner: Person;
  beforeAll(async () => {
    service = await startService({ OWNER_EMAIL: 'owner@example.org', OWNER_PASSWORD: 'a password of the owner' });
    owner = await signedIn(service, { email: 'owner@example.org', password: 'a password of the owner' });
    const { workspaceId } = await administration(service).first();
    await administration(service).member(workspaceId, 'reader');
    await owner.call('POST', '/v1/agents', { agent_id: agentId });
  });
  afterAll(() => service.stop());

  const send = async (method: string, path: string, body: string, headers: Record<string, string> = {}) => {
    const init = { headers: { cookie: owner.cookie(), 'x-service-agent': agentId, ...headers }, body };
    return ask(service.app.server.listeningOrigin, method, path, init);
  };
  const code = ({ status, json }: { status: number; json: { error?: { code?: string } } | null }) => [
    status,
    json?.error?.code ?? null,
  ];

  // @covers BODY-BOUNDED
  it.each([...stallBodies, ...stallReceipts])('no one else waits while it reads $name', async ({
    method,
    path,
    body,
    answer,
  }) => {
    const text = body();
    let worst = 0;
    let last = performance.now();
    const watch = setInterval(() => {
      worst = Math.max(worst, performance.now() - last);
      last = performance.now();
    }, 5);
    const reply = await send(method, path, text);
    clearInterval(watch);
    expect(code(reply)).toEqual(answer);
    // It was seconds; the rest of the bound is for machines that do other things meanwhile.
    expect(worst).toBeLessThan(1000);
  });

  // @covers BODY-BOUNDED
  it('takes what the limits allow, however it is written', async () => {
    const escaped = '\\u0061'.repeat(1_048_576);
    const values = `{"list":[${'0,'.repeat(32_000)}0]}`;
    const written = await send('POST', '/v1/memories', `{"content":"${escaped}","metadata":${values}}`);
    expect(code(written)).toEqual([202, null]);
    const { json } = await owner.call('GET', `/v1/memories/${written.json.memory_id}`);
    expect([json.content, JSON.stringify(json.metadata)]).toEqual(['a'.repeat(1_048_576), values]);
    const metadata = `{"${'\\u006b'.repeat(10_000)}":"x","__proto__":{"a":1.50}}`;
    const odd = await send('POST', '/v1/memories', `${' '.repeat(300_000)}{"content":"odd","metadata":${metadata}}`);
    const kept = await owner.call('GET', `/v1/memories/${odd.json.memory_id}`);
    expect(kept.text).toContain(`"metadata":${metadata},`);
    const ids = Array.from({ length: 1000 }, () => uuid);
    expect(code(await send('POST', '/v1/memories/bulk-delete', JSON.stringify({ ids })))[1]).not.toBe('too_many_ids');
    const more = JSON.stringify({ ids: [...ids, uuid] });
    expect(code(await send('POST', '/v1/memories/bulk-delete', more))).toEqual([400, 'too_many_ids']);
  });

  // @covers BODY-UNKNOWN-FIELD
  it.each(takingBodies)('$name: a field that it does not take', async ({ method, url, name }: Route) => {
    const expected = name === 'POST /v1/memories/search' ? 'unknown_field' : 'invalid_request';
    const reply = await send(method, url, '{"namespce":"x"}');
    // Signing out looks at no body: it must work for everybody who wants to leave.
    if (name === 'DELETE /v1/session') return;
    expect([name, ...code(reply)]).toEqual([name, 400, expected]);
    expect(reply.json.error.message).toContain('"namespce"');
  });

  // @covers BODY-UNKNOWN-FIELD
  it('makes no key that reaches more than was meant', async () => {
    expect(code(await owner.call('POST', '/v1/keys', { name: 'narrow', scope: ['memory.read'] }))).toEqual([
      400,
      'invalid_request',
    ]);
    const { json } = await owner.call('GET', '/v1/keys');
    expect(json.data.map(({ name }: { name: string }) => name)).not.toContain('narrow');
  });

  // @covers RULE-ASK-KEPT
  it('keeps the rules that a change of rules does not name', async () => {
    const asked = [{ source: 'mail' }];
    await owner.call('PUT', '/v1/rules', { pause_all: false, sensitive: 'redact', ask_owner: asked });
    const changed = await owner.call('PUT', '/v1/rules', { pause_all: false, sensitive: 'reject' });
    expect(changed.json).toMatchObject({ sensitive: 'reject', ask_owner: asked });
    const lifted = await owner.call('PUT', '/v1/rules', { pause_all: false, sensitive: 'redact', ask_owner: [] });
    expect(lifted.json).toMatchObject({ sensitive: 'redact', ask_owner: [] });
  });
});
