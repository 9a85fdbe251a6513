import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { planLimits } from '../../../contracts/plans.js';
import { freePort } from '../../faults/free-port.js';
import { type Service as Process, start } from '../../faults/service-process.js';
import { administration } from '../../http/keys.js';
import { type Service, startService } from '../../http/service.js';
import { type Answered, callTool } from '../../mcp/agent.js';
import { preparedDatabase } from '../../support/prepared-store.js';
import { repeats } from '../../support/repeats.js';

const owner = { email: 'owner@example.org', password: 'a password of the owner' };

/** Two processes on one PostgreSQL server. The one that is killed is a process of its own. */
describe('batches that are sent again', () => {
  const directory = mkdtempSync(join(tmpdir(), 'counterfoil-batches-'));
  let env: Record<string, string>;
  let here: Service;
  let there: Process;
  let key = '';
  let cookie = '';

  beforeAll(async () => {
    const people = { OWNER_EMAIL: owner.email, OWNER_PASSWORD: owner.password, LOG_LEVEL: 'error' };
    const port = String(await freePort());
    const shared = {
      DATABASE_URL: await preparedDatabase(),
      DATA_DIR: directory,
      BASE_URL: `http://127.0.0.1:${port}`,
      ...people,
    };
    env = { ...shared, PORT: port, OTS_CALENDARS: 'off', RATE_LIMITS: 'off' };
    here = await startService(shared);
    there = await start(env);
    const signedIn = await fetch(`${here.app.server.listeningOrigin}/v1/session`, {
      method: 'POST',
      body: JSON.stringify(owner),
    });
    cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const { id } = await asOwner('POST', '/v1/agents', { agent_id: `agn_${'a'.repeat(32)}` });
    ({ key } = await asOwner('POST', `/v1/agents/${id}/keys`, { name: 'desk' }));
  });
  afterAll(async () => {
    await there.kill();
    await here.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  async function asOwner(method: string, path: string, body?: object) {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    // biome-ignore lint/suspicious/noExplicitAny: a test reads what came, no matter its shape
    const json: any = await (
      await fetch(`${here.app.server.listeningOrigin}${path}`, { method, headers: { cookie }, ...sent })
    ).json();
    return json;
  }

  const record = (origin: string, actions: readonly object[], idempotency_key: string): Promise<Answered> =>
    callTool(origin, key, 'record_action_batch', { actions, idempotency_key });
  const origins = (): readonly [string, string] => [here.app.server.listeningOrigin, there.origin];
  const used = async (): Promise<number> => (await asOwner('GET', '/v1/usage')).actions.used;

  /** Decisions, of which the same may be recorded any number of times, between memories that make the append long. */
  const actionsOf = (label: string, bytes: number, count = 12) =>
    Array.from({ length: count }, (_, n) =>
      n % 2 === 0
        ? { kind: 'decision', summary: `${label} ${n}` }
        : { kind: 'memory', content: `${label} ${n} ${'.'.repeat(bytes)}` },
    );

  // @covers ACTIONS-ONCE-KILLED
  it('are recorded once when the process is killed in the middle', async () => {
    for (let round = 0; round < repeats('BATCH_KILLS'); round += 1) {
      // Several appends, so that the process dies between two of them.
      const actions = actionsOf(`killed ${round}`, 300_000, 48);
      const before = await used();
      const broken = record(there.origin, actions, `killed-${round}`).catch(() => null);
      while ((await used()) === before);
      await there.kill();
      await broken;
      const recorded = (await used()) - before;
      expect(recorded, 'the kill came after the last append').toBeLessThan(48);
      there = await start(env);
      const again = await record(there.origin, actions, `killed-${round}`);
      expect(again.structured.results).toHaveLength(48);
      expect(again.structured.results.every(({ ok }: { ok: boolean }) => ok)).toBe(true);
      expect(await used()).toBe(before + 48);
      const third = await record(here.app.server.listeningOrigin, actions, `killed-${round}`);
      expect(third).toEqual(again);
    }
  });

  // @covers ACTIONS-ONCE-TOGETHER
  it('are recorded once when two processes get them at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const before = await used();
      const actions = actionsOf(`together ${round}`, 10);
      const answers = await Promise.all(origins().map((origin) => record(origin, actions, `together-${round}`)));
      expect(answers[1]).toEqual(answers[0]);
      expect(answers[0]?.isError).toBe(false);
      expect(await used()).toBe(before + 12);
    }
  });

  // @covers ACTIONS-ONCE-TOGETHER
  it('belong to one of two calls that use the same key for different batches at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const before = await used();
      const answers = await Promise.all(
        origins().map((origin, n) =>
          record(origin, actionsOf(`${n} of ${round}`, 100_000, 10 + n), `claimed-${round}`),
        ),
      );
      expect(answers.map(({ code }) => code).sort()).toEqual(['idempotency_key_reused', null]);
      const taken = answers.findIndex(({ code }) => code === null);
      expect(answers[taken]?.structured.results.every(({ ok }: { ok: boolean }) => ok)).toBe(true);
      expect(await used()).toBe(before + 10 + taken);
    }
  });

  // @covers ACTIONS-PLAN
  it('record as many actions as the plan has left, in their order', async () => {
    const admin = administration(here);
    const { workspaceId } = await admin.first();
    const limit = planLimits.free.actions ?? 0;
    await admin.act(workspaceId, limit - (await used()) - 2);
    await admin.provision(workspaceId, 'free');
    const actions = actionsOf('of the plan', 10, 4);
    const { structured } = await record(there.origin, actions, 'plan');
    const refused = { ok: false, error: { code: 'plan_action_limit', details: { limit, used: limit } } };
    expect(structured.results).toMatchObject([{ ok: true }, { ok: true }, refused, refused]);
    await admin.provision(workspaceId, 'enterprise');
    const again = await record(there.origin, actions, 'plan');
    expect(again.structured.results.slice(0, 2)).toEqual(structured.results.slice(0, 2));
    expect(again.structured.results).toMatchObject([{ ok: true }, { ok: true }, { ok: true }, { ok: true }]);
    expect(await used()).toBe(limit + 2);
  });
});
