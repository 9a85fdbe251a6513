import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { outcomeUnknown } from '../../../../contracts/errors.js';
import { stringify } from '../../../../src/base/json-text.js';
import { realWorld, type World } from '../../../../src/base/world.js';
import { addMemory, type MemoryAccepted } from '../../../../src/commands/add-memory.js';
import { deleteMemory } from '../../../../src/commands/delete-memory.js';
import { type Answer, answering, once } from '../../../../src/commands/once.js';
import { createRun, type Run } from '../../../../src/commands/run.js';
import { recordRecall } from '../../../../src/commands/search.js';
import { stateLoader } from '../../../../src/commands/state/state.js';
import type { Caller } from '../../../../src/domain/caller.js';
import { contentHash } from '../../../../src/domain/content.js';
import type { Ledger } from '../../../../src/ledger/ledger.js';
import { fsck } from '../../../../src/maintenance/fsck.js';
import { type Faulty, type Flavour, faultyDatabase, type Plan } from '../../../faults/faulty-database.js';
import { type Engine, engines, type OpenLedger } from '../../../ledger/engines.js';
import { model, models, newStore, type Store } from '../../../maintenance/store.js';
import { repeats } from '../../../support/repeats.js';
import { stores } from '../../../support/stores.js';

/** Pauses between tries are cut short: what happens between them is none of this suite's business. */
const world: World = { ...realWorld, sleep: (ms) => realWorld.sleep(Math.min(ms, 1)) };

let store: Store;
let caller: Caller;
let faulty: Faulty;
let openLedger: OpenLedger;
let run: Run;

async function begin({ create }: Engine): Promise<void> {
  openLedger = await create();
  store = await newStore(openLedger);
  caller = await store.openWorkspace();
  faulty = faultyDatabase(store.database);
  run = newRun();
}

/** As a process that has just started has it: without any knowledge of the chain. */
function newRun(): Run {
  return createRun(openLedger(faulty.database), stateLoader(faulty.database, world.now), world);
}

let turn = 0;
const memory = (content: string) => ({
  content,
  metadata: `{"turn": ${turn}}`,
  source: 'faults',
  label: null,
  namespace: undefined,
  sensitive: {},
  playground: false,
  approvalId: undefined,
});

interface Outcome {
  readonly contents: readonly string[];
  /** Of the adds, in the order of `contents`. */
  readonly adds: readonly PromiseSettledResult<MemoryAccepted>[];
  readonly deleted: PromiseSettledResult<unknown>;
  readonly victim: string;
  /** Of the recall, and the same request again. */
  readonly recalled: PromiseSettledResult<Answer>;
  recallAgain(): Promise<Answer>;
  readonly recallsBefore: number;
  readonly calls: number;
}

/** A recall under an Idempotency-Key, as a request that is repeated makes it. */
function recall(key: string): Promise<Answer> {
  const found = { namespace_ids: caller.namespaceIds, mode: 'keyword', degraded: [], k: 8, results: [] };
  const command = answering(recordRecall(world, caller, 'what was it', found), (body) => ({ status: 200, body }));
  return run(caller.workspaceId, once(command, { requestKey: key, digest: 'the same' }));
}

const recalls = async () => (await store.sql(`select 1 from receipts where kind = 'memory.recall'`)).length;

/** Two writes of different contents, two of the same, a delete and a recall, all at once, as requests come. */
async function scenario(plan: Plan | null): Promise<Outcome> {
  turn += 1;
  faulty.arm(null);
  const victim = (await run(caller.workspaceId, addMemory(world, caller, memory(`victim ${turn}`)))).memory_id;
  const contents = [`first ${turn}`, `second ${turn}`, `twice ${turn}`, `twice ${turn}`];
  const key = `turn ${turn}`;
  const recallsBefore = await recalls();
  faulty.arm(plan);
  const adding = Promise.allSettled(
    contents.map((content) => run(caller.workspaceId, addMemory(world, caller, memory(content)))),
  );
  const deleting = Promise.allSettled([run(caller.workspaceId, deleteMemory(world, caller, victim))]);
  const recalling = Promise.allSettled([recall(key)]);
  const [adds, [deleted], [recalled]] = await Promise.all([adding, deleting, recalling]);
  const calls = faulty.calls();
  faulty.arm(null);
  for (const one of [...adds, deleted, recalled]) {
    if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'receipt_unavailable' });
  }
  return { contents, adds, deleted, victim, calls, recalled, recallsBefore, recallAgain: () => recall(key) };
}

const held = async (content: string) =>
  (
    await store.sql<{ id: string }>('select id::text from memories where content_hash = $1', [contentHash(content)])
  ).map((row) => row.id);

/** Of a refusal that does not say that the outcome is unknown, nothing may be there. */
function saysNothingWasWritten(result: PromiseSettledResult<unknown> | undefined): boolean {
  return result?.status === 'rejected' && result.reason.message !== outcomeUnknown;
}

/** Nothing acknowledged is lost, nothing is there twice; what is left is whole. */
async function check(outcome: Outcome, refusedMeansNothing: boolean): Promise<void> {
  const { contents, adds, deleted, victim } = outcome;
  await checkRecall(outcome);
  for (const [i, content] of contents.entries()) {
    const found = await held(content);
    const add = adds[i];
    if (add?.status === 'fulfilled') expect(found).toEqual([add.value.memory_id]);
    // The same content was sent twice, and the other of the two may have been taken.
    else if (contents.indexOf(content) !== contents.lastIndexOf(content)) expect(found.length).toBeLessThanOrEqual(1);
    else if (refusedMeansNothing || saysNothingWasWritten(add)) expect(found).toEqual([]);
    else expect(found.length).toBeLessThanOrEqual(1);
  }
  const left = await store.sql('select 1 from memories where id = $1', [victim]);
  if (deleted.status === 'fulfilled') expect(left).toEqual([]);
  else if (refusedMeansNothing || saysNothingWasWritten(deleted)) expect(left.length).toBe(1);
  const checked = await fsck(store.database, [model('memory'), model('receipts')], { onProgress: () => undefined });
  expect(checked.faults).toBeNull();
}

/** However the first try ended, the second has the same answer or the first one, and there is one receipt. */
async function checkRecall({ recalled, recallAgain, recallsBefore }: Outcome): Promise<void> {
  const again = await recallAgain();
  if (recalled.status === 'fulfilled') {
    // Status and body are the same. A repetition knows the receipt for the header too, which the first answer has from its call.
    const { status, body } = recalled.value;
    expect([again.status, stringify(again.body)]).toEqual([status, stringify(body)]);
  }
  expect(await recalls()).toBe(recallsBefore + 1);
}

const flavours: readonly Flavour[] = ['failed', 'failed but persisted'];
const [where] = stores;

describe.each(engines)(`writes on ${where} with $name`, (engine) => {
  const step = repeats(engine.isRemote ? 'CALL_STEP' : 'LOCAL_CALL_STEP');
  beforeAll(() => begin(engine));
  afterAll(() => store.close());

  test.each(flavours)('one call of a write %s', async (flavour) => {
    const { calls } = await scenario(null);
    expect(calls).toBeGreaterThan(12);
    let acknowledged = 0;
    for (let from = 1, tries = 0; from <= calls; from += step, tries += 1) {
      // Every other time the process knows nothing of the chain, so that its first append is a conflict as well.
      if (tries % 2 === 1) run = newRun();
      const outcome = await scenario({ from, count: 1, flavour });
      await check(outcome, true);
      acknowledged += outcome.adds.filter((add) => add.status === 'fulfilled').length;
    }
    // Only a fault while the state is loaded reaches the caller; the service recovers from every other one by itself.
    expect(acknowledged).toBeGreaterThan((calls / step) * 4 * 0.6);
  });

  test.each(flavours)('every call from one on %s, until the caller tries again', async (flavour) => {
    const { calls } = await scenario(null);
    // What is committed elsewhere is applied again and again, so there the faults have to end before the callers give up.
    const count = engine.elsewhere ? 50 : 1000;
    for (let from = 1; from <= calls; from += step) {
      const outcome = await scenario({ from, count, flavour });
      await check(outcome, false);
      for (const content of new Set(outcome.contents)) {
        const again = await run(caller.workspaceId, addMemory(world, caller, memory(content)));
        expect(await held(content)).toEqual([again.memory_id]);
      }
    }
    expect((await fsck(store.database, models, { onProgress: () => undefined })).faults).toBeNull();
  });

  test.each(flavours)('each call of the ledger %s', async (flavour) => {
    const ledger = openLedger(store.database);
    let appends = 0;
    const breaking = async <A>(append: () => Promise<A>) => {
      appends += 1;
      // Three of four appends fail, so that a write meets several in a row.
      if (appends % 4 === 0) return append();
      if (flavour === 'failed but persisted') await append();
      throw new Error('the append was made to fail');
    };
    const { appendInQueue } = ledger;
    const broken: Ledger = {
      ...ledger,
      append: (...given) => breaking(() => ledger.append(...given)),
      ...(appendInQueue && { appendInQueue: (...given) => breaking(() => appendInQueue(...given)) }),
    };
    run = createRun(broken, stateLoader(store.database, world.now), world);
    for (let i = 0; i < 10; i += 1) {
      const outcome = await scenario(null);
      for (const add of outcome.adds) expect(add.status).toBe('fulfilled');
      await check(outcome, true);
    }
    run = newRun();
  });
});
