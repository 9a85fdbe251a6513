import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { realWorld } from '../../src/base/world.js';
import { createSearch, type SearchParts } from '../../src/commands/search.js';
import type { Caller } from '../../src/domain/caller.js';
import { readSearchFilter } from '../../src/domain/filters.js';
import { until } from '../support/until.js';
import { good, mounted } from './harness.js';
import { gate, written } from './registry.js';

describe('a closed connection', () => {
  const { server, called } = mounted({ base: 'http://127.0.0.1' });
  let origin = '';
  beforeAll(async () => {
    // The address of the service has another port than the server of this test.
    server.server.prependListener('request', ({ headers }) => {
      headers.host = '127.0.0.1';
    });
    origin = await server.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(() => server.close());
  beforeEach(() => called.splice(0));

  const call = (name: string) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name } });
  /** Sends messages, waits until a tool runs, and hangs up. */
  async function hangUp(body: unknown): Promise<void> {
    const connection = new AbortController();
    const headers = { authorization: good, 'content-type': 'application/json' };
    const sent = fetch(`${origin}/mcp`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      signal: connection.signal,
    });
    sent.catch(() => undefined);
    await until(() => called.length > 0);
    connection.abort();
    await until(() => called[0]?.calling.signal.aborted === true);
  }

  // @covers MCP-CLOSED
  it('stops a search, and what has not begun', async () => {
    await hangUp([call('wait'), call('echo')]);
    gate.open();
    await new Promise((next) => setTimeout(next, 20));
    expect(called.map(({ name }) => name)).toEqual(['wait']);
  });

  // @covers MCP-CLOSED
  it('does not stop a write that has begun', async () => {
    await hangUp(call('write'));
    expect(written).toEqual([]);
    gate.open();
    await until(() => written.length === 1);
  });

  it('is none where the answer was sent', async () => {
    const headers = { authorization: good, 'content-type': 'application/json', connection: 'close' };
    await (await fetch(`${origin}/mcp`, { method: 'POST', headers, body: JSON.stringify(call('echo')) })).text();
    await new Promise((next) => setTimeout(next, 20));
    expect(called[0]?.calling.signal.aborted).toBe(false);
  });
});

describe('a search whose caller has gone', () => {
  /** A search of nothing, whose caller goes while the given read of the database is in progress. */
  async function searched(goneIn: number): Promise<{ reads: number; recorded: number }> {
    const gone = new AbortController();
    const none = Object.create(null);
    const seen = { reads: 0, recorded: 0 };
    const read: SearchParts['read'] = async () => {
      seen.reads += 1;
      if (seen.reads === goneIn) gone.abort();
      return seen.reads === 1 ? { words: [], condition: () => 'true' } : Object.assign(none, { hits: [] });
    };
    const parts: SearchParts = {
      world: realWorld,
      run: async () => {
        seen.recorded += 1;
        return Object.create(null);
      },
      embedder: none,
      queries: none,
      arms: ['keyword'],
      budget: none,
      searched: Object.assign(Object.create(null), {
        index: { find: (read: SearchParts['read']) => read(async () => none) },
      }),
      vault: none,
      limiter: null,
      ownWrites: { read: (_caller, work) => read(work) },
      read,
      readWithin: async () => none,
      readList: async () => none,
    };
    const caller: Caller = {
      workspaceId: 'w',
      actor: { type: 'key', id: 'k', user_id: null, agent_id: null, app_id: null, run_id: null },
      scopes: [],
      namespaceIds: ['n'],
      agent: null,
      role: null,
      memoryApi: true,
    };
    const request = {
      query: 'q',
      namespaceIds: ['n'],
      agentId: undefined,
      waits: true,
      k: 1,
      tokenBudget: 200,
      ...readSearchFilter({}),
    };
    const search = createSearch(parts)(caller, { ...request, signal: gone.signal }, null);
    if (goneIn > 2) await search;
    else await expect(search).rejects.toMatchObject({ name: 'AbortError' });
    return seen;
  }

  // @covers MCP-CLOSED
  it('stops before its next step, and records nothing', async () => {
    expect(await searched(1)).toEqual({ reads: 1, recorded: 0 });
    expect(await searched(2)).toEqual({ reads: 2, recorded: 0 });
    expect(await searched(3)).toEqual({ reads: 2, recorded: 1 });
  });
});
