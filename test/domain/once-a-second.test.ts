import { describe, expect, it } from 'vitest';
import { onceASecond } from '../../src/domain/once-a-second.js';

describe('a question that is answered once a second', () => {
  // @covers HEALTH-BOUNDED
  it('is asked once however many wait, again after a second, and at once after a failure', async () => {
    let [asked, clock] = [0, 0];
    const question = onceASecond(
      async () => {
        asked += 1;
        if (asked === 3) throw new Error('away');
        return asked;
      },
      () => clock,
    );
    expect(await Promise.all([question(), question(), question()])).toEqual([1, 1, 1]);
    clock = 999;
    expect(await question()).toBe(1);
    clock = 1000;
    expect(await question()).toBe(2);
    clock = 2000;
    await expect(question()).rejects.toThrow('away');
    expect(await question()).toBe(4);
  });
});
