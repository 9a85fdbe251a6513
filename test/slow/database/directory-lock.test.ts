import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Holder, type Kind, startHolder } from '../../database/lock-holder.js';
import { repeats } from '../../support/repeats.js';

const rounds = repeats('LOCK_ROUNDS');

let root: string;
let unmount: string[] = [];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'cf-'));
});
afterEach(() => {
  for (const path of unmount) execFileSync('umount', [path]);
  unmount = [];
  rmSync(root, { recursive: true, force: true });
});

/** Other paths to the same directory. Only root can make the last of them. */
function waysTo(directory: string): string[] {
  const link = join(root, 'link');
  symlinkSync(directory, link);
  const bound = join(root, 'bound');
  mkdirSync(bound);
  try {
    execFileSync('mount', ['--bind', directory, bound], { stdio: 'ignore' });
  } catch {
    return [directory, link];
  }
  unmount.push(bound);
  return [directory, link, bound];
}

/** Three at once, as an impatient supervisor starts them: each by its own path and with its own temporary directory. */
function startThree(round: number, ways: readonly string[], witness: string): Holder[] {
  return [0, 1, 2].map((index) => {
    const way = ways[(round + index) % ways.length] ?? '';
    const kind: Kind = (round + index) % 3 === 0 ? 'check' : 'service';
    const temporary = join(root, `tmp${index}`);
    mkdirSync(temporary, { recursive: true });
    return startHolder(way, temporary, witness, kind);
  });
}

async function kill(holders: readonly Holder[]): Promise<void> {
  for (const { child } of holders) child.kill('SIGKILL');
  await Promise.all(holders.map(({ ended }) => ended));
}

test.each([
  ['short', 'data'],
  ['of 200 characters', 'd'.repeat(200)],
])('of three that start at once after a kill one holds a directory whose name is %s, never two', async (_how, name) => {
  const directory = join(root, name);
  mkdirSync(directory);
  const ways = waysTo(directory);
  const witness = join(root, 'witness');
  for (let round = 0; round < rounds; round += 1) {
    const holders = startThree(round, ways, witness);
    try {
      const outcomes = await Promise.all(holders.map(({ outcome }) => outcome));
      expect(outcomes.filter((one) => one !== 'held' && one !== 'refused')).toEqual([]);
      expect(outcomes).toContain('held');
      const staying = holders.filter(({ kind }, index) => kind === 'service' && outcomes[index] === 'held');
      expect(staying.length).toBeLessThanOrEqual(1);
    } finally {
      await kill(holders);
      rmSync(witness, { force: true });
    }
  }
});
