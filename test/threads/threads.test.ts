// @projects slow
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Refusal } from '../../contracts/errors.js';
import { openThreads } from '../../src/adapters/threads.js';
import { packageRoot } from '../../src/package-root.js';

interface Work {
  readonly what: 'say' | 'throw' | 'exit' | 'hang' | 'die' | 'fill';
  readonly value?: string;
}

const codeOf = (error: unknown) => (error instanceof Refusal ? error.code : error);

describe('threads', () => {
  const threads = openThreads<Work, string>({
    file: join(packageRoot, 'test/threads/work.mjs'),
    ...{ threads: 2, heldBytes: 1000, idleMs: 1000, deadlineMs: 2000, heapMb: 64 },
  });
  afterAll(() => threads.close());

  it('do work and hand back what it returns', async () => {
    const values = ['one', 'two', 'three', 'four', 'five'];
    expect(await Promise.all(values.map((value) => threads.run(1, { what: 'say', value })))).toEqual(values);
  });

  it('pass on what the work itself throws', async () => {
    await expect(threads.run(1, { what: 'throw', value: 'not a number' })).rejects.toThrow('not a number');
  });

  it.each([
    'exit',
    'hang',
    'fill',
  ] as const)('refuse work in which a thread ends or hangs, and go on: %s', async (what) => {
    expect(await threads.run(1, { what }).catch(codeOf)).toBe('not_ready');
    expect(await threads.run(1, { what: 'say', value: 'still here' })).toBe('still here');
  });

  it('survive an error that nobody in the thread catches', async () => {
    await expect(threads.run(1, { what: 'die' })).rejects.toThrow();
    expect(await threads.run(1, { what: 'say', value: 'still here' })).toBe('still here');
  });

  it('refuse more than they may hold', async () => {
    const all = await Promise.allSettled([600, 600].map((bytes) => threads.run(bytes, { what: 'say', value: 'x' })));
    expect(all.map((one) => (one.status === 'fulfilled' ? one.value : codeOf(one.reason)))).toEqual([
      'x',
      'rate_limited',
    ]);
  });

  it('that are closed refuse what is under way and what waits', async () => {
    const closed = openThreads<Work, string>({
      file: join(packageRoot, 'test/threads/work.mjs'),
      ...{ threads: 1, heldBytes: 1000, idleMs: 1000, deadlineMs: 60_000 },
    });
    expect(await closed.run(1, { what: 'say', value: 'ready' })).toBe('ready');
    const works = (['exit', 'say'] as const).map((what) => closed.run(1, { what }).catch(codeOf));
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
