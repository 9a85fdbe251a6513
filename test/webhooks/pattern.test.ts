import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WebhookPattern } from '../../contracts/webhooks.js';
import { matches, type PatternSubject, plainText } from '../../src/domain/pattern.js';
import { retryAt, retryPauses } from '../../src/domain/webhooks.js';

const memory = (
  more: Partial<Omit<PatternSubject, 'metadata' | 'text'>>,
  content = '',
  metadata: object = {},
): PatternSubject => ({
  ...{ namespace_id: 'n', user_id: 'u', agent_id: 'a', app_id: 'p', run_id: 'r', source: 's', ...more },
  metadata: () => Object.fromEntries(Object.entries(metadata)),
  text: () => plainText(content),
});

const table: [WebhookPattern, PatternSubject, boolean][] = [
  [{ namespace_id: 'n' }, memory({}), true],
  [{ namespace_id: 'm' }, memory({}), false],
  [{ user_id: 'u' }, memory({}), true],
  [{ user_id: 'u' }, memory({ user_id: null }), false],
  [{ user_id: 'U' }, memory({}), false],
  [{ agent_id: 'a', app_id: 'p', run_id: 'r' }, memory({}), true],
  [{ agent_id: 'a', app_id: 'p', run_id: 'x' }, memory({}), false],
  [{ app_id: 'q' }, memory({}), false],
  [{ source: 's' }, memory({}), true],
  [{ source: ['t', 's'] }, memory({}), true],
  [{ source: ['t'] }, memory({}), false],
  [{ source: 's' }, memory({ source: null }), false],
  [{ source: 's' }, memory({ source: 'ss' }), false],
  [{ metadata: { k: 'v' } }, memory({}, '', { k: 'v', l: 1 }), true],
  [{ metadata: { k: 'v' } }, memory({}, '', { k: 'V' }), false],
  [{ metadata: { k: 1 } }, memory({}, '', { k: '1' }), false],
  [{ metadata: { k: 1 } }, memory({}, '', { k: 1.0 }), true],
  [{ metadata: { k: null } }, memory({}, '', { k: null }), true],
  [{ metadata: { k: null } }, memory({}, '', {}), false],
  [{ metadata: { k: true, l: 'x' } }, memory({}, '', { k: true, l: 'y' }), false],
  [{ metadata: { k: 'v' } }, memory({}, '', { k: ['v'] }), false],
  [{ metadata: { toString: 'v' } }, memory({}, '', {}), false],
  [{ contains: 'heron' }, memory({}, 'A Heron, grey.'), true],
  [{ contains: 'heron' }, memory({}, 'herons'), false],
  [{ contains: 'heron' }, memory({}, 'superheron'), false],
  [{ contains: 'grey HERON' }, memory({}, 'the heron was grey'), true],
  [{ contains: 'grey heron' }, memory({}, 'the heron was green'), false],
  [{ contains: ['grey', 'heron'] }, memory({}, 'heron\ngrey'), true],
  [{ contains: 'müller' }, memory({}, 'Frau MÜLLER'), true],
  [{ contains: 'müller' }, memory({}, 'Frau M\u0075\u0308ller'), true],
  [{ contains: 'c++' }, memory({}, 'we write c'), true],
  [{ contains: '3.14' }, memory({}, 'it is 3.14 or so'), true],
  [{ contains: '3.14' }, memory({}, 'it is 3x14 or so'), false],
  [{ contains: '東京' }, memory({}, '私は東京に住んでいます'), true],
  [{ contains: '大阪' }, memory({}, '私は東京に住んでいます'), false],
  [{ contains: 'ﬁn' }, memory({}, 'the fin'), true],
  [{ contains: 'foo_bar' }, memory({}, 'a foo_bar b'), true],
  [{ contains: 'foo' }, memory({}, 'a foo_bar b'), false],
  [{ source: 's', contains: 'heron' }, memory({}, 'egret'), false],
];

describe('patterns', () => {
  it.each(table)('%j', (pattern, given, expected) => {
    expect(matches(pattern, given)).toBe(expected);
  });

  it('a text contains each of its own words', () => {
    // Of one script, with whatever stands between words: where two scripts meet in a word, segmenters draw lines.
    const unit = fc.constantFrom(...`abzÄéßñ019 .,;:!?-_'"()[]{}*+\\/|^$#@\n\t\u0301`);
    fc.assert(
      fc.property(fc.string({ unit, minLength: 1 }), (text) => {
        expect(matches({ contains: text }, memory({}, `before ${text} after`))).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('a large text is searched quickly', () => {
    const text = plainText('superheron '.repeat(100_000));
    const large = { ...memory({}), text: () => text };
    const from = performance.now();
    for (let i = 0; i < 100; i += 1) expect(matches({ contains: 'absent' }, large)).toBe(false);
    expect(matches({ contains: 'heron' }, large)).toBe(false);
    expect(performance.now() - from).toBeLessThan(2000);
  });
});

describe('the schedule', () => {
  // @covers HOOK-RETRY
  it('waits longer each time, with up to a tenth more, and ends', () => {
    const now = new Date(0);
    const waits = (chance: number) => retryPauses.map((_, i) => retryAt(i + 1, now, chance)?.getTime());
    const seconds = [5, 30, 120, 600, 1800, 7200, 21_600, 43_200];
    expect(waits(0)).toEqual(seconds.map((one) => one * 1000));
    expect(waits(1)).toEqual(seconds.map((one) => one * 1100));
    expect(retryAt(9, now, 0)).toBeNull();
  });
});
