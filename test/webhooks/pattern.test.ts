import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WebhookPattern } from '../../contracts/webhooks.js';
import { atOnce } from '../../src/base/steps.js';
import { searchedText } from '../../src/domain/contained.js';
import { matches, type PatternSubject } from '../../src/domain/pattern.js';
import { retryAt, retryPauses } from '../../src/domain/webhooks.js';

const searched = (text: string) => atOnce(searchedText(text));

const memory = (
  more: Partial<Omit<PatternSubject, 'metadata' | 'text'>>,
  content = '',
  metadata: object = {},
): PatternSubject => ({
  namespace_id: 'n',
  user_id: 'u',
  agent_id: 'a',
  app_id: 'p',
  run_id: 'r',
  source: 's',
  ...more,
  metadata: () => Object.fromEntries(Object.entries(metadata)),
  text: () => searched(content),
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
  [{ contains: '3.14' }, memory({}, 'it is 3.14 or so'), true],
  [{ contains: '3.14' }, memory({}, 'it is 3x14 or so'), false],
  [{ contains: '東京' }, memory({}, '私は東京に住んでいます'), true],
  [{ contains: '大阪' }, memory({}, '私は東京に住んでいます'), false],
  [{ contains: 'ﬁn' }, memory({}, 'the fin'), true],
  [{ contains: 'foo_bar' }, memory({}, 'a foo_bar b'), true],
  [{ contains: 'foo' }, memory({}, 'a foo_bar b'), false],
  [{ source: 's', contains: 'heron' }, memory({}, 'egret'), false],
];

/** A word of the pattern, a text, whether the text has it. */
const texts: [string | string[], string, boolean][] = [
  // Signs that belong to a word.
  ['c++', 'we write c', false],
  ['C#', 'a sonata in C major', false],
  ['C#', 'We write C# here.', true],
  ['C', 'We write C#.', false],
  ['C', 'We write C, mostly', true],
  ['C+', 'We write C++', false],
  ['C++', 'We write C++20', true],
  ['F#', 'F#m7', false],
  ['.NET', 'the net', false],
  ['.net', 'We use .NET.', true],
  ['R&D', 'R D', false],
  ['R&D', 'our R&D team', true],
  ['$100', '100 boats', false],
  ['$100', 'US$100', true],
  ['50%', '50 boats', false],
  ['50%', '150%', false],
  ['-12', '-12 °C', true],
  ['-12', '\u221212 °C', true],
  ['-12', 'dock 10-12', false],
  ['#tide', 'the tide', false],
  ['@ana', 'ana', false],
  ['sign-in', 'sign the book in', false],
  ['sign-in', 'the sign\u2010in page', true],
  ['~/logs/crane.md', 'see ~/logs/crane.md.', true],
  ['~/logs/crane.md', 'logs of crane.md', false],
  // Signs of sentences, at any place.
  ['ready?', 'It is ready.', false],
  ['ready?', 'Is it ready? Yes', true],
  ['Porto, Lisbon', 'Lisbon, Porto', true],
  ['Porto, Lisbon', 'Lisbon and Porto', false],
  ['1,250', '1,250 kg', true],
  ['1,250', '1 and 250', false],
  ['“tide”', 'the "tide"', true],
  ["O'Brien", 'Mrs O’Brien', true],
  [['tide', '!'], 'the tide', false],
  // Emoji.
  ['fete 🎈', 'the fete', false],
  ['fete 🎈', 'the fete 🎈', true],
  ['fete🎈', '🎈 the fete', true],
  ['🎈', 'the fete🎈', true],
  ['🎈', 'the fete', false],
  ['🎈🎉', 'a 🎈', false],
  ['❤️', 'with ❤', true],
  ['👍', 'yes 👍🏽', true],
  ['👍🏽', 'yes 👍', false],
  ['👩', '👨‍👩‍👧', false],
  ['👨‍👩‍👧', 'we 👨‍👩‍👧', true],
  ['🇷🇺', '🇫🇷🇺🇸', false],
  ['1️⃣', '1', false],
  // Letters that people write in place of each other.
  ['creme brulee', 'Crème brûlée', true],
  ['crème', 'CREME', true],
  ['straße', 'STRASSE', true],
  ['strasse', 'Straße', true],
  ['οδος', 'ΟΔΟΣ', true],
  ['οδοσ', 'οδός', true],
  ['Mueller', 'Frau Müller', true],
  ['Müller', 'Frau Mueller', true],
  ['Muller', 'Frau Müller', true],
  ['Łódź', 'lodz', true],
  ['smorrebrod', 'smørrebrød', true],
  ['ISTANBUL', 'İstanbul', true],
  ['мой', 'мои', false],
  ['елка', 'Ёлка', true],
  ['مدرسة', 'مدرسه', true],
  ['٤٢', '42', true],
  ['soft\u00adly', 'softly', true],
  ['한글', '\u1112\u1161\u11ab\u1100\u1173\u11af', true],
  ['কাক', 'কাকা', false],
  // Scripts without spaces.
  ['東京大阪', '大阪と東京', true],
  ['iPhone', '私のiPhoneです', true],
  ['東京!', '東京', false],
  // Nothing to look for.
  ['\u0640', 'any text', false],
];

describe('patterns', () => {
  it.each(texts)('%j in %j: %j', (contains, text, expected) => {
    expect(matches({ contains }, memory({}, text))).toBe(expected);
  });

  it('demands every sign and emoji that the pattern has', () => {
    const word = fc.string({ unit: fc.constantFrom(...'abcé9'), minLength: 1, maxLength: 4 });
    const sign = fc.constantFrom(...`+#&@/$%=~^|<>*€°-_.,;:!?"()[]{}`, '🎈', '🇵🇹', '1️⃣', '👨‍👩‍👧', '❤️');
    fc.assert(
      fc.property(fc.array(fc.oneof(word, sign, fc.constant(' ')), { minLength: 1 }), (written) => {
        const text = written.join('');
        const lacks = written.filter((part) => !/^[\p{L}\p{N}]+$/u.test(part) && part !== ' ' && part !== ',');
        for (const one of lacks) {
          const without = written.map((part) => (part === one ? ' ' : part)).join('');
          expect(matches({ contains: text }, memory({}, without))).toBe(false);
        }
      }),
      { numRuns: 500 },
    );
  });

  it.each(table)('%j', (pattern, given, expected) => {
    expect(matches(pattern, given)).toBe(expected);
  });

  it('a text contains each of its own words', () => {
    // Of one script, with no matter what stands between words: where two scripts meet in a word, segmenters draw lines.
    const unit = fc.constantFrom(...`abzÄéßñ019 .,;:!?-_'"()[]{}*+\\/|^$#@\n\t\u0301`);
    fc.assert(
      fc.property(
        fc.string({ unit, minLength: 1 }).filter((text) => text.trim() !== ''),
        (text) => {
          expect(matches({ contains: text }, memory({}, `before ${text} after`))).toBe(true);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('finds what is in a long text wherever it is', () => {
    const text = `${'Über die Häfen, '.repeat(3000)}fête 🎈 C# ${'Grüße 👨‍👩‍👧 '.repeat(3000)}`;
    for (const contains of ['fete 🎈 C#', 'Haefen', 'grusse', '👨‍👩‍👧'])
      expect(matches({ contains }, memory({}, text))).toBe(true);
    for (const contains of ['🎉', '👧', 'C++']) expect(matches({ contains }, memory({}, text))).toBe(false);
  });

  it('finds overlapping places in linear time', () => {
    const text = searched('ab-'.repeat(300_000));
    const periodic = 'ab-'.repeat(300);
    const contains = Array.from({ length: 20 }, (_, i) => `${periodic.slice(3 * i)}a`);
    const from = performance.now();
    expect(matches({ contains }, { ...memory({}), text: () => text })).toBe(false);
    expect(performance.now() - from).toBeLessThan(2000);
  });

  it('a large text is searched quickly', () => {
    const text = searched('superheron '.repeat(100_000));
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
