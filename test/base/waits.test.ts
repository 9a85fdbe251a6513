import { describe, expect, it } from 'vitest';
import { orLate } from '../../src/base/deadline.js';
import { slices, yieldToOthers } from '../../src/base/steps.js';

const never = new Promise<never>(() => undefined);

describe('work that is waited for with a limit', () => {
  it('gives its answer in time', async () => {
    expect(await orLate(60_000, Promise.resolve('done'), 'late')).toBe('done');
  });

  it('throws its own error in time', async () => {
    await expect(orLate(60_000, Promise.reject(new RangeError('wrong')), 'late')).rejects.toThrow('wrong');
  });

  it('gives something else when it takes longer', async () => {
    expect(await orLate(1, never, 'late')).toBe('late');
  });

  it('may fail later, when no one waits any more', async () => {
    let fail = (_error: Error) => {};
    const work = new Promise<never>((_, reject) => {
      fail = reject;
    });
    expect(await orLate(1, work, 'late')).toBe('late');
    fail(new Error('too late'));
    await yieldToOthers();
  });
});

describe('slices', () => {
  const begun = () => {
    const order: string[] = [];
    setImmediate(() => order.push('another'));
    return order;
  };

  it('let others go first when they are over', async () => {
    const next = slices(0);
    const order = begun();
    await next();
    order.push('this');
    expect(order).toEqual(['another', 'this']);
  });

  it('continue until then', async () => {
    const next = slices(60_000);
    const order = begun();
    await next();
    order.push('this');
    expect(order).toEqual(['this']);
  });
});
