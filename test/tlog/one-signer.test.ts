import { describe, expect, it } from 'vitest';
import { repeats } from '../support/repeats.js';
import { randomRun } from './signer/run.js';
import type { Rule } from './signer/sign.js';

async function runs(rule: Rule, count: number) {
  const first = Number(process.env.SEED ?? 1);
  const forks: number[] = [];
  const kills = new Map<string, number>();
  let signatures = 0;
  for (let seed = first; seed < first + count; seed += 1) {
    const run = await randomRun({ seed, directories: 2 + (seed % 2), rule });
    if (run.forked) forks.push(seed);
    signatures += run.signatures;
    for (const [last, times] of run.kills) kills.set(last, (kills.get(last) ?? 0) + times);
  }
  return { forks, kills, signatures };
}

describe('two and three directories of keys on a store that is restored at random', () => {
  const count = repeats('SIGNER_RUNS');

  it('never sign two histories, wherever a process is killed', async () => {
    const { forks, kills, signatures } = await runs('turns', count);
    if (process.env.FIGURES !== undefined)
      process.stderr.write(`${count} runs, ${signatures} signatures, kills after ${JSON.stringify([...kills])}\n`);
    // The seeds of the runs: SEED=… SIGNER_RUNS=1 repeats one.
    expect(forks).toEqual([]);
    expect([...kills.keys()].sort()).toEqual(['append', 'begin', 'note', 'record', 'signature']);
  }, 600_000);

  it('signed two histories by the rule of earlier versions', async () => {
    const { forks, signatures } = await runs('sizes', Math.ceil(count / 10));
    if (process.env.FIGURES !== undefined) process.stderr.write(`${forks.length} forks, ${signatures} signatures\n`);
    expect(forks).not.toEqual([]);
  }, 600_000);
});
