import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lexicalEmbedder } from '../../src/adapters/embeddings/lexical.js';
import { agentIdOf } from '../../src/domain/identity/binding.js';
import { agentProof, linkProof } from '../../src/domain/identity/proof.js';
import { fsck } from '../../src/maintenance/fsck.js';
import { rebuildables } from '../../src/maintenance/rebuildable.js';
import { newHolder } from '../domain/identity/holder.js';
import { type Service as Process, start } from '../faults/service-process.js';
import { administration } from '../http/keys.js';
import { type Reply, type Service, startService } from '../http/service.js';
import { preparedDatabase } from '../support/prepared-store.js';

const clients = 64;

/** How many replies had which status and code. */
function tally(replies: readonly Reply[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, json } of replies) {
    const code = json?.error?.code ?? json?.error ?? (json?.duplicate ? 'duplicate' : '');
    const name = `${status} ${code}`.trim();
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

describe('two processes on one server, under 64 clients', () => {
  const directory = mkdtempSync(join(tmpdir(), 'counterfoil-together-'));
  let here: Service;
  let there: Process;
  let admin: ReturnType<typeof administration>;
  beforeAll(async () => {
    // One public address: sessions are of that, no matter which process made them.
    const shared = {
      DATABASE_URL: await preparedDatabase(),
      DATA_DIR: directory,
      BASE_URL: 'http://counterfoil.test',
      LOG_LEVEL: 'warn',
    };
    const env = { ...shared, TRUST_PROXY: '1', RATE_LIMITS: 'on' };
    here = await startService(env);
    there = await start({ ...env, PORT: '0', OTS_CALENDARS: 'off' });
    admin = administration(here);
  });
  afterAll(async () => {
    await there.kill();
    await here.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  /** One request of a client, who has an address of its own and asks the two processes alternately. */
  async function ask(client: number, headers: object, method: string, path: string, body?: object): Promise<Reply> {
    const origin = client % 2 === 0 ? here.app.server.listeningOrigin : there.origin;
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: { 'x-forwarded-for': `203.0.113.${client}`, ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    return { status: response.status, text, json: JSON.parse(text) };
  }

  /** Everything that all clients ask for at once, each `times` times. */
  const all = async (times: number, one: (client: number, n: number) => Promise<Reply>): Promise<Reply[]> => {
    const each = Array.from({ length: clients }, async (_, client) => {
      const replies: Reply[] = [];
      for (let n = 0; n < times; n += 1) replies.push(await one(client, n));
      return replies;
    });
    return (await Promise.all(each)).flat();
  };

  /** A workspace with a key, and its owner signed in. */
  async function workspace() {
    const { workspaceId, key } = await admin.workspace();
    const person = await admin.member(workspaceId, 'owner');
    const session = await fetch(`${there.origin}/v1/session`, { method: 'POST', body: JSON.stringify(person) });
    const cookie = session.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    return { workspaceId, key: { authorization: `Bearer ${key}` }, owner: { cookie } };
  }

  // @covers LIMIT-WRITES
  it('allows a workspace to write 600 times a minute and no more', async () => {
    const { key } = await workspace();
    const replies = await all(12, (client, n) =>
      ask(client, key, 'POST', '/v1/memories', { content: `client ${client} writes ${n}` }),
    );
    expect(tally(replies)).toEqual({ 202: 600, '429 rate_limited': 168 });
  });

  // @covers LIMIT-SEARCHES
  it('allows a workspace to search 300 times a minute and no more', async () => {
    const { key } = await workspace();
    const replies = await all(5, (client) => ask(client, key, 'POST', '/v1/memories/search', { query: 'anything' }));
    expect(tally(replies)).toEqual({ 200: 300, '429 rate_limited': 20 });
  });

  // @covers AUTH-KEY-RATE
  it('makes 20 keys an hour and no more', async () => {
    const { owner } = await workspace();
    const replies = await all(1, (client) => ask(client, owner, 'POST', '/v1/keys', { name: `key ${client}` }));
    expect(tally(replies)).toEqual({ 201: 20, '429 rate_limited': 44 });
  });

  // @covers AUTH-KEY-REVOKED
  it('refuse a key with the next call after the other process has bound it again or ended it', async () => {
    const { owner } = await workspace();
    const { key, key_id } = (await ask(0, owner, 'POST', '/v1/keys', { name: 'k' })).json;
    const usage = (client: number) => ask(client, { authorization: `Bearer ${key}` }, 'GET', '/v1/usage');
    const bind = (namespace_ids: string[]) => ask(0, owner, 'PUT', `/v1/keys/${key_id}/namespaces`, { namespace_ids });
    for (let n = 0; n < 5; n += 1) {
      expect((await usage(1)).status).toBe(200);
      await bind([]);
      expect(tally([await usage(1)])).toEqual({ '403 key_has_no_namespaces': 1 });
      await bind(['default']);
    }
    expect((await usage(1)).status).toBe(200);
    await ask(0, owner, 'DELETE', `/v1/keys/${key_id}`);
    expect(tally([await usage(1)])).toEqual({ '401 unauthorized': 1 });
  });

  // @covers ADD-DUPLICATE-TOGETHER APPROVAL-ONCE
  it('knows the same content anyone who writes it, and uses each approval once', async () => {
    const { key, owner } = await workspace();
    const written = await all(5, (client, n) => ask(client, key, 'POST', '/v1/memories', { content: `the same ${n}` }));
    expect(tally(written)).toEqual({ 202: 5, '200 duplicate': 315 });
    const ids = [...new Set(written.map(({ json }) => json.memory_id))];
    expect(ids).toHaveLength(5);

    const path = '/v1/memories/bulk-delete';
    const asked = await all(1, (client) => ask(client, key, 'POST', path, { ids }));
    expect(tally(asked)).toEqual({ '409 approval_required': 64 });
    const waiting = new Set(asked.map(({ json }) => json.error.details.approval_id));
    expect(waiting.size).toBe(1);
    const approve = `/v1/approvals/${[...waiting][0]}/approve`;
    const decided = await all(1, (client) => ask(client, owner, 'POST', approve));
    expect(tally(decided)).toEqual({ 200: 1, '409 approval_decided': 63 });
    const approval_receipt_id = decided.find(({ status }) => status === 200)?.json.receipt_id;
    const deleted = await all(1, (client) => ask(client, key, 'POST', path, { ids, approval_receipt_id }));
    expect(tally(deleted)).toEqual({ 200: 1, '403 approval_invalid': 63 });
  });

  // @covers METER-TOGETHER PLAN-FREE-PEOPLE
  it('stops at the limits of a plan, neither before nor after', async () => {
    const { workspaceId, key, owner } = await workspace();
    await admin.act(workspaceId, 10_000 - 30);
    await admin.provision(workspaceId, 'free');
    const replies = await all(2, (client, n) =>
      ask(client, key, 'POST', '/v1/memories', { content: `metered ${client} ${n}` }),
    );
    expect(tally(replies)).toEqual({ 202: 30, '402 plan_action_limit': 98 });
    expect((await ask(1, key, 'GET', '/v1/usage')).json).toMatchObject({
      actions: { used: 10_000 },
      memories: { used: 30 },
      people: { used: 2, limit: 2 },
    });
    // Of the owners one is of the test, one came with the workspace.
    await admin.provision(workspaceId, 'pro');
    const people = await all(1, async (client) => {
      const body = { email: `p${client}@example.org`, role: 'member', password: 'x'.repeat(12) };
      // Few passwords are hashed at once: anyone who finds no room is sent again, as Retry-After says.
      for (;;) {
        const reply = await ask(client, owner, 'POST', '/v1/members', body);
        if (reply.status !== 429) return reply;
        await new Promise((resolve) => setTimeout(resolve, 2000));
      }
    });
    expect(tally(people)).toEqual({ 201: 1, '402 plan_people_limit': 63 });
  });

  // @covers IDENTITY-ONCE IDENTITY-CHALLENGE LINK-ONE-HANDLE
  it('issues a binding once, and uses each challenge once', async () => {
    const { workspaceId, owner } = await workspace();
    const holder = newHolder('Ed25519');
    const public_key = holder.publicKey;
    const agent_id = agentIdOf({ agent_name: null, public_key: holder.bound, vendor: null });
    const issued = await all(1, (client) => ask(client, {}, 'POST', '/v1/agent-id', { public_key }));
    expect(tally(issued)).toEqual({ 200: 63, 201: 1 });
    const newProof = async (message: (challenge: string) => Uint8Array) => {
      const { challenge } = (await ask(1, {}, 'GET', '/v1/agent-id/challenge')).json;
      return { challenge, signature: holder.sign(message(challenge)) };
    };
    const proof = await newProof((challenge) => agentProof(agent_id, challenge));
    const verified = await all(1, (client) => ask(client, {}, 'POST', '/v1/agent-id', { public_key, proof }));
    expect(tally(verified)).toEqual({ 200: 1, '400 challenge_expired': 63 });
    const handle = '@bot';
    const forLink = await newProof((challenge) => linkProof(agent_id, challenge, workspaceId, handle));
    const linked = await all(1, (client) =>
      ask(client, owner, 'POST', '/v1/agents', { agent_id, handle, proof: forLink }),
    );
    expect(tally(linked)).toEqual({ 201: 1, '400 challenge_expired': 63 });
    // Each client with a challenge of its own.
    await ask(1, owner, 'DELETE', `/v1/agents/${linked.find(({ status }) => status === 201)?.json.id}`);
    const again = await all(1, async (client) => {
      const own = await newProof((challenge) => linkProof(agent_id, challenge, workspaceId, handle));
      return ask(client, owner, 'POST', '/v1/agents', { agent_id, handle, proof: own });
    });
    expect(tally(again)).toEqual({ 201: 1, '409 agent_exists': 63 });
    const { attestation_chain } = (await ask(2, {}, 'GET', `/v1/agent-id?id=${agent_id}`)).json;
    expect(attestation_chain.map(({ type }: { type: string }) => type)).toEqual(['issued', 'verified']);
  });

  it('leaves a store in which everything is as the ledger says', async () => {
    for (let open = 1; open > 0; ) {
      const [row] = await here.app.database.read((tx) =>
        tx.query<{ open: number }>(`select count(*) as open from jobs where stage not in ('done', 'failed')`),
      );
      open = row?.open ?? 0;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    const models = rebuildables(lexicalEmbedder());
    expect((await fsck(here.app.database, models, { onProgress: () => undefined })).faults).toBeNull();
  });
});
