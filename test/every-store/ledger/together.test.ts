import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { project } from '../../../projections/all.js';
import { stringify } from '../../../src/base/json-text.js';
import { realWorld, type World } from '../../../src/base/world.js';
import { addMemory } from '../../../src/commands/add-memory.js';
import { answering, once } from '../../../src/commands/once.js';
import { createRun, type Run } from '../../../src/commands/run.js';
import { stateLoader } from '../../../src/commands/state/state.js';
import type { Caller } from '../../../src/domain/caller.js';
import type { Project } from '../../../src/ledger/apply.js';
import { databaseLedger } from '../../../src/ledger/engines/database.js';
import type { Ledger } from '../../../src/ledger/ledger.js';
import { fsck } from '../../../src/maintenance/fsck.js';
import { memoryOf } from '../../maintenance/memories.js';
import { models, newStore, type Store } from '../../maintenance/store.js';
import { fillDecisions } from '../../support/decisions.js';
import { fillApproved, fillInvalidations } from '../../support/invalidations.js';
import { stores } from '../../support/stores.js';
import { fillTasks } from '../../support/tasks.js';

/** Pauses between tries are cut short. */
const world: World = { ...realWorld, sleep: (ms) => realWorld.sleep(Math.min(ms, 5)) };

describe.each(stores)('commands of several workspaces, on %s', () => {
  let store: Store;
  let callers: readonly Caller[];
  beforeEach(async () => {
    store = await newStore();
    callers = await Promise.all(Array.from({ length: 5 }, () => store.openWorkspace()));
  });
  afterEach(async () => {
    expect((await fsck(store.database, models, { onProgress: () => undefined })).faults).toBeNull();
    await store.close();
  });

  const runOn = (ledger: Ledger): Run => createRun(ledger, stateLoader(store.database, world.now), world);
  const add = (run: Run, caller: Caller, content: string) =>
    run(caller.workspaceId, addMemory(world, caller, memoryOf(content)));
  /** How many entries each transaction has written, and to how many chains. */
  const transactions = () =>
    store.sql<{ entries: number; chains: number }>(
      `select count(*) as entries, count(distinct chain) as chains from entries
        where convert_from(bytes, 'UTF8')::json ->> 'kind' = 'memory.write' group by xmin::text order by 1 desc`,
    );

  it('that wait at the same time are one transaction', async () => {
    await Promise.all(callers.flatMap((caller) => [1, 2, 3].map((n) => store.add(caller, `note ${n}`))));
    expect((await transactions())[0]).toEqual({ entries: 15, chains: 5 });
  });

  it('of all kinds leave what they would leave one after the other', async () => {
    await Promise.all(
      callers.map(async (caller, at) => {
        const ids = await Promise.all(Array.from({ length: 12 }, (_, n) => store.addFound(caller, `memory ${n}`)));
        await store.add(caller, 'for a job');
        await fillInvalidations(store, caller, ids.slice(0, 6));
        await fillApproved(store, caller);
        await store.recall(caller, 'what was it', ids.slice(0, 8));
        for (const id of ids.slice(3, 6)) await store.remove(caller, id);
        const [agent = '', other = ''] = ['a', 'b'].map((letter) => `agn_${String(at)}${letter.repeat(31)}`);
        const links = await Promise.all([agent, other].map((one) => store.link(caller, one)));
        for (const link of links) await store.agentKeys(caller, link);
        await store.grants(caller, [agent, other]);
        await store.unlisten(caller, agent, await store.listen(caller, agent));
        await store.unlink(caller, links[1] ?? '');
        await store.attestationKeys(caller);
        // Its members are the same people in every workspace, and their passwords are changed in one at a time.
        if (at === 0) await store.changePasswords(caller);
        await store.approvals(caller, ids.slice(8, 10));
        await fillTasks(store, caller);
        await fillDecisions(store, caller);
      }),
    );
    await store.ingest();
    const shared = await store.sql(
      'select xmin::text from entries group by xmin::text having count(distinct chain) > 1',
    );
    expect(shared.length).toBeGreaterThan(5);
  });

  it('fail for the workspace whose entries cannot be applied, and for no other', async () => {
    const [poisoned] = callers;
    const failing: Project = async (tx, recorded) => {
      if (recorded.some(({ entry }) => entry.workspace_id === poisoned?.workspaceId)) throw new Error('made to fail');
      await project(tx, recorded);
    };
    const run = runOn(databaseLedger(store.database, failing));
    const before = await store.sql('select 1 from entries');
    const added = await Promise.allSettled(callers.map((caller) => add(run, caller, 'with one that fails')));
    expect(added.map(({ status }) => status)).toEqual(['rejected', ...callers.slice(1).map(() => 'fulfilled')]);
    expect(await store.sql('select 1 from entries')).toHaveLength(before.length + callers.length - 1);
  });

  it.each(['failed', 'failed but persisted'])('are appended once when the answer to their append %s', async (how) => {
    const ledger = databaseLedger(store.database, project);
    const { appendInQueue } = ledger;
    let isFirst = true;
    const run = runOn({
      ...ledger,
      appendInQueue: async (entering, decide) => {
        if (!appendInQueue) throw new Error('every ledger in a database has it');
        if (!isFirst) return appendInQueue(entering, decide);
        isFirst = false;
        if (how === 'failed') {
          // As when the connection breaks in the commit: it was decided, and nothing of it is there.
          await appendInQueue(entering, async (tx, entered) => {
            await decide(tx, entered);
            return [];
          });
        } else {
          await appendInQueue(entering, decide);
        }
        throw new Error('the answer got lost');
      },
    });
    const write = (caller: Caller) => {
      const body = (answer: object) => ({ status: 201 as const, body: answer });
      const command = answering(addMemory(world, caller, memoryOf('in doubt')), body);
      return run(caller.workspaceId, once(command, { requestKey: 'a key', digest: 'the same' }));
    };
    const first = await Promise.all(callers.map(write));
    const again = await Promise.all(callers.map(write));
    expect(again.map(({ body }) => stringify(body))).toEqual(first.map(({ body }) => stringify(body)));
    expect(await store.sql(`select 1 from vault where content = 'in doubt'`)).toHaveLength(callers.length);
  });
});
