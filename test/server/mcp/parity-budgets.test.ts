import { beforeAll, describe, expect, it } from 'vitest';
import { type RateLimit, rateLimits } from '../../../contracts/limits.js';
import { usePeople } from '../../http/people.js';
import { newAgent } from '../../mcp/agent.js';

type Agent = Awaited<ReturnType<typeof newAgent>>;

/** The budgets of a workspace, which processes count together in the database. */
describe('the budgets of a workspace', () => {
  const people = usePeople({ RATE_LIMITS: 'on' });
  let agent: Agent;
  beforeAll(async () => {
    agent = await newAgent(people);
  });
  const rest = async (path: string, body: object) => (await people.service().call('POST', path, body)).json;

  /** Counts requests as if there had been as many before, all but a number of those that are allowed. */
  const leave = (left: number, { name, requests, seconds }: RateLimit, window = '') =>
    people.service().app.database.transaction((tx) =>
      tx.query(
        `insert into rate_limits (key, points, expire) values ($1, $2, $3)
          on conflict (key) do update set points = excluded.points, expire = excluded.expire`,
        [`${name}:${people.first().workspaceId}${window}`, requests - left, Date.now() + seconds * 1000],
      ),
    );

  // @covers PARITY-BUDGETS
  it('is one for writes of both transports, in which each action of a batch counts', async () => {
    await leave(3, rateLimits.writes);
    const decision = { kind: 'decision', summary: 'count it' };
    const { structured, text } = await agent.record([decision, { kind: 'memory', content: 'count it' }]);
    expect(structured.results).toMatchObject([{ ok: true }, { ok: true }]);
    expect(text).toMatch(/^Recorded 2:/);
    expect(await rest('/v1/memories', { content: 'over REST' })).toMatchObject({ duplicate: false });
    expect((await rest('/v1/memories', { content: 'one too many' })).error.code).toBe('rate_limited');
    const over = await agent.record([decision, { kind: 'memory', content: 'x' }]);
    expect(over.isError).toBe(true);
    for (const { error } of over.structured.results) {
      expect([error.code, error.message]).toEqual(['rate_limited', expect.stringMatching(/^wait \d+ seconds\. /)]);
      expect(error.details.retry_after_seconds).toBeGreaterThan(0);
    }
    expect(over.text).toMatch(/^0: refused\. rate_limited: wait \d+ seconds/m);
  });

  // @covers PARITY-BUDGETS
  it('is one for the queries that are embedded a day', async () => {
    await leave(1, rateLimits.queryEmbeddings, ` ${new Date().toISOString().slice(0, 10)}`);
    const embedded = await agent.tool('recall', { query: 'the last one' });
    expect(embedded.structured).toMatchObject({ mode: 'fused', degraded: [] });
    const keyword = { mode: 'keyword', degraded: ['dense_quota'] };
    expect((await agent.tool('recall', { query: 'one too many' })).structured).toMatchObject(keyword);
    expect(await rest('/v1/memories/search', { query: 'one more' })).toMatchObject(keyword);
  });

  // @covers PARITY-BUDGETS
  it('is one for searches of both transports', async () => {
    await leave(2, rateLimits.searches);
    expect((await agent.tool('recall', { query: 'x' })).code).toBeNull();
    expect(await rest('/v1/memories/search', { query: 'x' })).toHaveProperty('receipt_id');
    const over = await agent.tool('recall', { query: 'x' });
    expect([over.isError, over.code]).toEqual([true, 'rate_limited']);
    expect((await rest('/v1/memories/search', { query: 'x' })).error.code).toBe('rate_limited');
  });
});
