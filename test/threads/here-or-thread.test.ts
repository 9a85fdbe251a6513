import { describe, expect, it } from 'vitest';
import { jobs } from '../../src/adapters/threads/jobs.js';
import { hereOrThread, type Threads } from '../../src/adapters/threads/threads.js';

function fakeThreads() {
  const asked: unknown[] = [];
  const threads: Threads = {
    async run(...one) {
      asked.push(one);
      throw new Error('in a thread');
    },
    close: async () => undefined,
  };
  return { threads, asked };
}

describe('work that is done here or in a thread', () => {
  const { threads, asked } = fakeThreads();
  const work = hereOrThread(threads, 'readJson', {
    small: 4,
    sizeOf: (body) => body.length,
    here: (body) => (body[0] === 0 ? null : `${body.length} bytes, here`),
  });

  it('is done here when it is small', async () => {
    expect(await work('a', Uint8Array.of(1, 2, 3, 4))).toBe('4 bytes, here');
    expect(asked).toEqual([]);
  });

  it.each([
    ['is large', Uint8Array.of(1, 2, 3, 4, 5)],
    ['was larger than its size said', Uint8Array.of(0)],
  ])('is done in a thread, with the size and the owner of it, when it %s', async (_, body) => {
    await expect(work('a', body)).rejects.toThrow('in a thread');
    expect(asked.pop()).toEqual([{ owner: 'a', bytes: body.length }, 'readJson', body]);
  });
});

it.each(Object.entries(jobs))('the job %s is a function', async (_, load) => {
  expect(await load()).toBeTypeOf('function');
});
