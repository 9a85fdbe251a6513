import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { project } from '../../../../projections/all.js';
import { realWorld as world } from '../../../../src/base/world.js';
import { addMemory } from '../../../../src/commands/add-memory.js';
import { createRun } from '../../../../src/commands/run.js';
import { stateLoader } from '../../../../src/commands/state/state.js';
import type { Caller } from '../../../../src/domain/caller.js';
import { apply, applyOnce, OutOfPlace } from '../../../../src/ledger/apply.js';
import { readLinks } from '../../../../src/ledger/entries.js';
import { fsck } from '../../../../src/maintenance/fsck.js';
import { type Decided, writes } from '../../../ledger/decided.js';
import { memoryEngine, newStreams, type Step, type Streams } from '../../../ledger/memory-engine.js';
import { memoryOf } from '../../../maintenance/memories.js';
import { models, newStore, type Store } from '../../../maintenance/store.js';
import { stores } from '../../../support/stores.js';

/** A process that ends at this step, and does nothing any more from then on. */
function crashing(store: Store, streams: Streams, at: Step) {
  let crashed = false;
  return memoryEngine(store.database, project, streams, (step) => {
    crashed ||= step === at;
    if (crashed) throw new Error('the process has crashed');
  });
}

describe.each(stores)('an engine elsewhere, on %s', () => {
  let streams: Streams;
  let store: Store;
  let caller: Caller;
  beforeAll(async () => {
    streams = newStreams();
    store = await newStore((database) => memoryEngine(database, project, streams));
  });
  beforeEach(async () => {
    caller = await store.openWorkspace();
  });
  afterAll(() => store.close());

  const restarted = () => memoryEngine(store.database, project, streams);
  const contents = async () => {
    const rows = await store.sql<{ content: string }>(
      'select v.content from vault v join memories m on m.receipt_id = v.receipt_id where m.workspace_id = $1',
      [caller.workspaceId],
    );
    return rows.map(({ content }) => content).toSorted();
  };
  const inLog = ({ head, commits }: Decided) =>
    (streams.chains.get(caller.workspaceId)?.links.length ?? 0) >= head.seq + commits.length;

  /** Tables and log say the same, nothing is staged, and every read model is what a replay makes of it. */
  async function checkWhole(): Promise<void> {
    const tables = await store.database.read((tx) => readLinks(tx, caller.workspaceId, 0, 1000));
    const log = streams.chains.get(caller.workspaceId)?.links ?? [];
    expect(tables.map(({ hash }) => hash)).toEqual(log.map(({ hash }) => hash));
    expect(streams.staged.size).toBe(0);
    expect((await fsck(store.database, models, { onProgress: () => undefined })).faults).toBeNull();
  }

  it.each(['staged', 'committed', 'applied'] as const)('recovers from a crash after it has %s', async (step) => {
    const append = await writes(store, caller, ['first', 'second']);
    const process = crashing(store, streams, step);
    await expect(process.append(caller.workspaceId, append.head, append.commits)).rejects.toThrow();
    expect(inLog(append)).toBe(step !== 'staged');
    expect(await contents()).toEqual(step === 'applied' ? ['first', 'second'] : []);
    const next = restarted();
    await next.recover();
    await next.recover();
    expect(await contents()).toEqual(step === 'staged' ? [] : ['first', 'second']);
    expect(await next.append(caller.workspaceId, append.head, append.commits)).toEqual({ outcome: 'appended' });
    expect(await contents()).toEqual(['first', 'second']);
    await next.recover();
    await checkWhole();
  });

  it('applies what a crashed process has committed before it takes the append of another', async () => {
    const crashed = await writes(store, caller, ['by the crashed one']);
    const process = crashing(store, streams, 'committed');
    await expect(process.append(caller.workspaceId, crashed.head, crashed.commits)).rejects.toThrow();
    // The tables are behind: this process decides on an old head, and its conflict brings them up to date.
    const run = createRun(restarted(), stateLoader(store.database, world.now), world);
    await run(caller.workspaceId, addMemory(world, caller, memoryOf('by another')));
    expect(await contents()).toEqual(['by another', 'by the crashed one']);
    await checkWhole();
  });

  it('never shows what was staged for a place that another append has taken', async () => {
    const lost = await writes(store, caller, ['lost']);
    const process = crashing(store, streams, 'staged');
    await expect(process.append(caller.workspaceId, lost.head, lost.commits)).rejects.toThrow();
    await store.add(caller, 'taken');
    await restarted().recover();
    expect(await contents()).toEqual(['taken']);
    await checkWhole();
  });

  it('applies the same commits a second time without a trace, in any order of processes', async () => {
    const { workspaceId } = caller;
    const first = await writes(store, caller, ['one', 'two']);
    await restarted().append(workspaceId, first.head, first.commits);
    const rows = () => store.sql('select * from entries e left join vault v using (receipt_id) order by chain, seq');
    const before = await rows();
    const again = () => applyOnce(store.database, project, workspaceId, first.head, first.commits);
    expect(await Promise.all([again(), again()])).toEqual([{ outcome: 'appended' }, { outcome: 'appended' }]);
    const second = await writes(store, caller, ['three']);
    // What is ahead of the tables waits: the entries before it come first.
    const ahead = await applyOnce(store.database, project, workspaceId, { ...second.end, seq: second.end.seq + 1 }, []);
    expect(ahead).toEqual({ outcome: 'conflict', head: first.end });
    const alone = store.database.transaction((tx) =>
      apply(tx, project, [{ chain: workspaceId, expected: first.head, commits: first.commits }]),
    );
    await expect(alone).rejects.toThrow(OutOfPlace);
    expect(await rows()).toEqual(before);
    await checkWhole();
  });

  it('gives chains their first genesis and tag key again when the tables are lost', async () => {
    const chain = world.id();
    const rows = () => store.sql('select * from chains where chain = $1', [chain]);
    await restarted().begin(chain, Buffer.from('{}'), world.random(32));
    const before = await rows();
    await store.sql('delete from chains where chain = $1', [chain]);
    await restarted().recover();
    expect(await rows()).toEqual(before);
  });
});
