import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Refusal } from '../../../contracts/errors.js';
import { openThreads } from '../../../src/adapters/threads/threads.js';
import { packageRoot } from '../../../src/base/package-root.js';

/** The jobs of work.mjs. */
type Jobs = Readonly<Record<'say' | 'throw' | 'exit' | 'hang' | 'die' | 'fill', (value?: string) => string>>;

const one = { owner: 'a', bytes: 1 };
const codeOf = (error: unknown) => (error instanceof Refusal ? error.code : error);

describe('threads', () => {
  const threads = openThreads<Jobs>({
    file: join(packageRoot, 'test/threads/work.mjs'),
    threads: 2,
    heldBytes: 2000,
    idleMs: 1000,
    deadlineMs: 2000,
    heapMb: 64,
  });
  afterAll(() => threads.close());

  it('do work and hand back what it returns', async () => {
    const values = ['one', 'two', 'three', 'four', 'five'];
    expect(await Promise.all(values.map((value) => threads.run(one, 'say', value)))).toEqual(values);
  });

  it('pass on what the work itself throws', async () => {
    await expect(threads.run(one, 'throw', 'not a number')).rejects.toThrow('not a number');
  });

  it.each([
    'exit',
    'hang',
    'fill',
  ] as const)('refuse work in which a thread ends or hangs, and continue: %s', async (what) => {
    expect(await threads.run(one, what, undefined).catch(codeOf)).toBe('not_ready');
    expect(await threads.run(one, 'say', 'still here')).toBe('still here');
  });

  it('survive an error that no one in the thread catches', async () => {
    await expect(threads.run(one, 'die', undefined)).rejects.toThrow();
    expect(await threads.run(one, 'say', 'still here')).toBe('still here');
  });

  it('refuse more than they may hold', async () => {
    const sent = ['a', 'b', 'c'].map((owner) => threads.run({ owner, bytes: 900 }, 'say', 'x'));
    const all = await Promise.allSettled(sent);
    expect(all.map((one) => (one.status === 'fulfilled' ? one.value : codeOf(one.reason)))).toEqual([
      ...['x', 'x'],
      'rate_limited',
    ]);
  });

  it('take the work of several owners alternately', async () => {
    const single = openThreads<Jobs>({
      file: join(packageRoot, 'test/threads/work.mjs'),
      threads: 1,
      heldBytes: 1000,
      idleMs: 1000,
      deadlineMs: 60_000,
    });
    const ended: string[] = [];
    const run = async (owner: string) => {
      await single.run({ owner, bytes: 1 }, 'say', owner);
      ended.push(owner);
    };
    await Promise.all([...'aaaaaaaab'].map(run));
    expect(ended.indexOf('b')).toBeLessThanOrEqual(2);
    await single.close();
  });

  it('that are closed refuse what is in progress and what waits', async () => {
    const closed = openThreads<Jobs>({
      file: join(packageRoot, 'test/threads/work.mjs'),
      threads: 1,
      heldBytes: 1000,
      idleMs: 1000,
      deadlineMs: 60_000,
    });
    expect(await closed.run(one, 'say', 'ready')).toBe('ready');
    const works = (['exit', 'say'] as const).map((what) => closed.run(one, what, undefined).catch(codeOf));
    await new Promise((resolve) => setTimeout(resolve, 50));
    await closed.close();
    expect(await Promise.all(works)).toEqual(['not_ready', 'not_ready']);
  });

  it('that cannot start for want of files refuse their work, and start once there are files', () => {
    const script = join(packageRoot, 'test/threads/no-files.mjs');
    const printed = execFileSync('sh', ['-c', 'ulimit -n 64; exec "$0" "$1"', process.execPath, script], {
      encoding: 'utf8',
    });
    expect(JSON.parse(printed)).toEqual({ refused: ['not_ready', 'not_ready', 'not_ready'], answered: [1, 2, 3] });
  });
});
