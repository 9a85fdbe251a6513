import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { realWorld as world } from '../../../../src/base/world.js';
import { recordTasks } from '../../../../src/commands/record-tasks.js';
import { createRun } from '../../../../src/commands/run.js';
import { stateLoader } from '../../../../src/commands/state/state.js';
import { fsck } from '../../../../src/maintenance/fsck.js';
import { engines, type OpenLedger } from '../../../ledger/engines.js';
import { models, newStore, type Store } from '../../../maintenance/store.js';
import { stores } from '../../../support/stores.js';
import { installation, newTask } from '../../../support/tasks.js';

describe.each(stores)('on %s', () => {
  describe.each(engines)('task receipts, with $name', ({ create }) => {
    let store: Store;
    let open: OpenLedger;
    beforeAll(async () => {
      open = await create();
      store = await newStore(open);
    });
    afterAll(() => store.close());

    // @covers TASK-WORKSPACES
    it('have the same 1,000 ids in two workspaces, which two processes write at once, and no one notices', async () => {
      const other = createRun(open(store.database), stateLoader(store.database, world.now), world);
      const callers = await Promise.all([store.openWorkspace(), store.openWorkspace()]);
      const batches = () =>
        Array.from({ length: 10 }, (_, batch) =>
          Array.from({ length: 100 }, (_, i) => newTask(`task ${batch * 100 + i}`, { privateText: `{"n":${i}}` })),
        );
      const submit = async (caller: (typeof callers)[number], run: Store['run']) => {
        const all = batches().map((batch) => run(caller.workspaceId, recordTasks(installation, caller, batch)));
        return (await Promise.all(all)).flat();
      };
      const answers = await Promise.all([submit(callers[0], store.run), submit(callers[1], other)]);
      expect(answers.flat().filter(({ duplicate }) => duplicate)).toEqual([]);
      expect(new Set(answers.flat().map(({ id }) => id)).size).toBe(2000);
      // Both processes send everything again, now to the workspace of the other.
      const again = await Promise.all([submit(callers[0], other), submit(callers[1], store.run)]);
      expect(again).toEqual(answers.map((list) => list.map((one) => ({ ...one, duplicate: true }))));
    });

    // @covers TASK-TOGETHER
    it('are recorded once when two processes write the same ones to one workspace', async () => {
      const caller = await store.openWorkspace();
      const other = createRun(open(store.database), stateLoader(store.database, world.now), world);
      const tasks = () => Array.from({ length: 100 }, (_, i) => newTask(`the same ${i}`));
      const runs = [store.run, other, store.run, other];
      const answers = await Promise.all(
        runs.map((run) => run(caller.workspaceId, recordTasks(installation, caller, tasks()))),
      );
      expect(answers.flat().filter(({ duplicate }) => !duplicate)).toHaveLength(100);
      expect(new Set(answers.flat().map(({ id }) => id)).size).toBe(100);
      expect((await fsck(store.database, models, { onProgress: () => undefined })).faults).toBeNull();
    });
  });
});
