import { expect, it } from 'vitest';
import type { SigningParts } from '../../src/tlog/signing.js';
import { createDirectory } from './signer/directory.js';
import { createRandom, createScheduler } from './signer/scheduler.js';
import { signTurns } from './signer/sign.js';
import { createStore } from './signer/store.js';

/** A directory of keys and its store. `sign` ends after a number of steps as kill -9 does. @returns whether it was killed */
function newSigner() {
  const scheduler = createScheduler();
  const store = createStore(scheduler.step);
  const signed: string[] = [];
  const sign = (root: string) => signed.push(root);
  const directory = createDirectory({ ...scheduler, random: createRandom(1), isFirst: true, sign });
  const parts: SigningParts = { keys: directory.keys, chain: store.chain };
  return {
    store,
    signed,
    async sign(steps: number): Promise<boolean> {
      await scheduler.start(directory, () => signTurns(parts, store));
      for (let step = 0; step < steps; step += 1) {
        const [task] = scheduler.waiting();
        if (!task) return false;
        await scheduler.resume(task);
      }
      directory.locked = false;
      return scheduler.kill(directory).length > 0;
    },
  };
}

it('signs again after a kill at each step, and nothing that contradicts what was signed before', async () => {
  const all = 1000;
  for (let steps = 0; ; steps += 1) {
    const { store, signed, sign } = newSigner();
    store.write();
    await sign(all);
    store.write();
    const isKilled = await sign(steps);
    store.write();
    await sign(all);
    expect(store.named().latest?.size, `killed after ${steps} steps`).toBe(3);
    const trees = signed.map((root) => store.leavesOf(root));
    for (const tree of trees) expect(store.leaves().slice(0, tree.length)).toEqual(tree);
    if (!isKilled) return expect(steps).toBeGreaterThan(8);
  }
});
