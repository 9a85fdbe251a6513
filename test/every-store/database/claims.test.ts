import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ClaimBounds, claimJobs } from '../../../projections/ingest/claims.js';
import { realWorld } from '../../../src/base/world.js';
import type { Caller } from '../../../src/domain/caller.js';
import { newStore, type Store } from '../../maintenance/store.js';

let store: Store;
/** Three workspaces in the order of their ids, which is the order in which they are served. */
let workspaces: readonly Caller[];
beforeAll(async () => {
  store = await newStore();
  const opened = [await store.openWorkspace(), await store.openWorkspace(), await store.openWorkspace()];
  workspaces = opened.toSorted((one, other) => (one.workspaceId < other.workspaceId ? -1 : 1));
});
afterAll(() => store.close());

/** Claims all that waits. @returns for each claim the workspaces of its jobs */
async function claimsOf(jobs: number, bytes: number, isLong = false): Promise<string[]> {
  const claims: string[] = [];
  let after: string | null = null;
  for (;;) {
    const bounds: ClaimBounds = { leaseMs: 60_000, isLong, jobs, bytes, after };
    const claimed = await store.database.transaction((tx) => claimJobs(tx, realWorld.nonce(), realWorld.now(), bounds));
    if (claimed.jobs.length === 0) return claims;
    const names = claimed.jobs.map(({ workspace_id }) => nameOf(workspace_id));
    claims.push(names.toSorted().join(''));
    after = claimed.last;
  }
}

const nameOf = (id: string) => 'abc'.charAt(workspaces.findIndex(({ workspaceId }) => workspaceId === id));

let written = 0;

/** Queues texts of this length in the workspace of this name. */
async function add(name: 'a' | 'b' | 'c', count: number, length = 30): Promise<void> {
  const caller = workspaces['abc'.indexOf(name)];
  if (!caller) throw new Error('there is no such workspace');
  for (let n = 0; n < count; n += 1) {
    written += 1;
    await store.add(caller, `${written} `.padEnd(length, 'words of a text '));
  }
}

it('a claim serves every workspace that waits, however much one of them has queued before', async () => {
  await add('a', 20);
  await add('b', 1);
  await add('c', 1);
  const [first] = await claimsOf(12, 10_000);
  expect(first).toBe('aaaabc');
});

it('one job at a time is of one workspace after the other', async () => {
  await add('b', 3);
  await add('a', 3);
  await add('c', 1);
  expect((await claimsOf(1, 10_000)).join('')).toBe('abcabab');
});

it('in the bytes of a claim each workspace has as much as another, and what is longer is claimed alone', async () => {
  await add('a', 6, 100);
  await add('b', 2, 400);
  await add('c', 1, 3000);
  // Beside the 100 bytes of the first there is room for 3 more of it, and then for one of b.
  expect(await claimsOf(64, 850)).toEqual(['aaaab', 'c', 'aab']);
});

it('short texts do not wait for long ones, which another worker takes', async () => {
  await add('a', 3, 100_000);
  await add('b', 1);
  expect(await claimsOf(64, 65_536)).toEqual(['b']);
  expect(await claimsOf(64, 262_144, true)).toEqual(['aa', 'a']);
});
