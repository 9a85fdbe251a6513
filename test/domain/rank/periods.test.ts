import { describe, expect, it } from 'vitest';
import { ownTime } from '../../../src/domain/rank/own-time.js';
import { periodOf, periodsIn } from '../../../src/domain/rank/periods.js';

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const shown = (query: string) =>
  periodsIn(query).map(({ month, year }) => [months[month ?? -1], year].filter((part) => part != null).join(' '));

describe('the months and years that a query names', () => {
  it.each([
    ['What did Ana paint in July 2023?', ['Jul 2023']],
    ['when was the lock repaired in june', ['Jun']],
    ['September', ['Sep']],
    ['the crane in 2023', ['2023']],
    ['On 8 May, 2023, who came?', ['May 2023']],
    ['May 8th, 2023', ['May 2023']],
    ['the 3rd of March of 2022', ['Mar 2022']],
    ['2023-05-08', ['May 2023']],
    ['between 2022-11 and 2023-02-01T10:00:00Z', ['Nov 2022', 'Feb 2023']],
    ['August or September 2023', ['Aug 2023', 'Sep 2023']],
    ['In 2023, what happened in May?', ['May 2023']],
    ['May 2023 and all of 2021', ['May 2023', '2021']],
    ['the summers of 2021 and 2022', ['2021', '2022']],
    ['mid-May', ['May']],
    ['storms of Sept. 2024, and in Dec', ['Sep 2024', 'Dec 2024']],
    ['1900, 2100', ['1900', '2100']],
  ])('are read: %s', (query, found) => {
    expect(shown(query)).toEqual(found);
  });

  it.each([
    ['What did they do in May?', ['May']],
    ['since may, who paid', ['May']],
    ['the last week of may', ['May']],
    ['Which spot did Joanna visit last May?', ['May']],
    ['may 2023', ['May 2023']],
    ['who came on may 8', ['May']],
    ['who came 8 May?', ['May']],
    ['May 8 at the pier', ['May']],
    ['May I moor here?', []],
    ['It is late. May I moor here?', []],
    ['what may fail', []],
    ['which 3 may fail', []],
    ['may 8 people come', []],
    ['WHAT MAY I DO', []],
    ['the long march to Porto', []],
    ['the regatta in March', ['Mar']],
  ])('are not the verb: %s', (query, found) => {
    expect(shown(query)).toEqual(found);
  });

  it.each([
    'What did Jan say?',
    'the mar of Lisbon',
    'augusta, mayor, and the marching band',
    'INV-2023-001, v2023.1, 12023, 2023x and 2,023',
    '$2023, 2023% and 1899 or 2101',
    'may.ts and src/june/notes',
    'room 1984b, id 2023-13-01',
  ])('are none of: %s', (query) => {
    expect(shown(query)).toEqual([]);
  });

  it('are read in time that does not grow with the square of the length', () => {
    expect(periodsIn(`in ${'8 '.repeat(500_000)}May`)).toEqual([]);
    expect(periodsIn('May 2023 '.repeat(100_000)).length).toBeLessThan(300);
  });
});

describe('the period of a time', () => {
  const [may, lastOfMay] = [Date.parse('2023-05-01T00:00:00Z'), Date.parse('2023-05-31T23:59:59.999Z')];

  it('is the month of the query in which it lies, in UTC', () => {
    for (const time of [may, lastOfMay]) {
      expect(periodOf(periodsIn('May 2023'), time)).toBe('May 2023');
      expect(periodOf(periodsIn('in may'), time)).toBe('May 2023');
      expect(periodOf(periodsIn('2023'), time)).toBe('2023');
      expect(periodOf(periodsIn('May 2022, or 2023-06'), time)).toBeNull();
    }
    expect(periodOf(periodsIn('May 2023'), may - 1)).toBeNull();
    expect(periodOf(periodsIn('May 2023'), lastOfMay + 1)).toBeNull();
    expect(periodOf([], may)).toBeNull();
  });
});

describe('the time of a memory', () => {
  const written = Date.parse('2026-01-02T03:04:05Z');
  const iso = (...texts: (string | null)[]) => new Date(ownTime(texts, written)).toISOString();

  it.each([
    [['2023-05-08'], '2023-05-08T00:00:00.000Z'],
    [['2023-05-08T13:56:00.123456'], '2023-05-08T13:56:00.123Z'],
    [['2023-05-08 13:56'], '2023-05-08T13:56:00.000Z'],
    [['2023-05-31T23:30:00-05:00'], '2023-06-01T04:30:00.000Z'],
    [[null, 'yesterday', '2023-05-08'], '2023-05-08T00:00:00.000Z'],
    [['2023-02-30', '2023-03-01'], '2023-03-01T00:00:00.000Z'],
    [['2022-01-01', '2023-03-01'], '2022-01-01T00:00:00.000Z'],
    [[null, '', '1683504000'], '2026-01-02T03:04:05.000Z'],
    [[], '2026-01-02T03:04:05.000Z'],
  ])('is the first date of its metadata, else when it was written: %j', (texts, expected) => {
    expect(iso(...texts)).toBe(expected);
  });
});
