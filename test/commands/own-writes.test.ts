import { expect, it } from 'vitest';
import { realWorld } from '../../src/base/world.js';
import { createOwnWrites } from '../../src/commands/own-writes.js';
import type { Transaction } from '../../src/database/database.js';
import type { Caller } from '../../src/domain/caller.js';

const caller: Caller = {
  workspaceId: 'w',
  actor: { type: 'key', id: 'k', user_id: null, agent_id: null, app_id: null, run_id: null },
  scopes: [],
  namespaceIds: ['n'],
  agent: null,
  role: null,
  memoryApi: true,
};

/** Own writes of a caller with these open jobs, of which these do not end in time. */
function withJobs(open: readonly string[], late: readonly string[] | null = [], isLately = true) {
  const seen = { asked: 0, worked: 0, waited: [] as (readonly string[])[] };
  const tx: Transaction = {
    write: async () => undefined,
    select: async () => [],
    query: async (_sql, params) => {
      seen.asked += 1;
      const limit = Number(params?.at(-1));
      return JSON.parse(JSON.stringify(open.slice(0, limit).map((job_id) => ({ job_id }))));
    },
  };
  const ownWrites = createOwnWrites({
    read: (work) => work(tx),
    world: realWorld,
    mayHaveQueued: () => isLately,
    jobWaits: {
      all: async (jobs) => {
        seen.waited.push(jobs);
        return late;
      },
    },
  });
  const read = (who: Caller = caller, signal?: AbortSignal) =>
    ownWrites.read(
      who,
      async () => {
        seen.worked += 1;
        return seen.worked;
      },
      signal,
    );
  return { read, seen };
}

const numbered = (count: number) => Array.from({ length: count }, (_, n) => `j${n}`);

// @covers SEARCH-OWN-WRITES
it('reads again after it has waited, and once where there is nothing to wait for', async () => {
  const busy = withJobs(['a', 'b']);
  expect([await busy.read(), busy.seen]).toEqual([2, { asked: 1, worked: 2, waited: [['a', 'b']] }]);
  const idle = withJobs([]);
  expect([await idle.read(), idle.seen]).toEqual([1, { asked: 1, worked: 1, waited: [] }]);
});

// @covers SEARCH-OWN-WRITES
it('does not ask for jobs of a caller who cannot have any, or that no one can have queued', async () => {
  const quiet = withJobs(['a'], [], false);
  await quiet.read();
  expect(quiet.seen).toEqual({ asked: 0, worked: 1, waited: [] });
  const reading = withJobs(['a']);
  await reading.read({ ...caller, scopes: ['mcp:tools', 'memory.read'] });
  await reading.read({ ...caller, role: 'reader' });
  await reading.read({ ...caller, actor: { ...caller.actor, id: null } });
  expect(reading.seen).toEqual({ asked: 0, worked: 3, waited: [] });
  await reading.read({ ...caller, role: 'member' });
  expect(reading.seen.waited).toHaveLength(1);
});

// @covers SEARCH-OWN-WRITES
it('waits for 20 jobs and for no more', async () => {
  const twenty = withJobs(numbered(20));
  await twenty.read();
  expect(twenty.seen.waited).toEqual([numbered(20)]);
  const more = withJobs(numbered(21));
  expect([await more.read(), more.seen.waited]).toEqual([1, []]);
});

// @covers SEARCH-OWN-WRITES
it('does not wait a second time for a job that did not end in time', async () => {
  const { read, seen } = withJobs(['a', 'b'], ['b']);
  await read();
  await read();
  expect(seen.waited).toEqual([['a', 'b'], ['a']]);
  const crowded = withJobs(['a'], null);
  await crowded.read();
  await crowded.read();
  expect(crowded.seen.waited).toEqual([['a'], ['a']]);
});

// @covers SEARCH-OWN-WRITES
it('stops when no one waits for the answer any more', async () => {
  const { read, seen } = withJobs(['a']);
  await expect(read(caller, AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
  expect(seen.worked).toBe(1);
});
