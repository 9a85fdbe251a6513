const vocabulary = ['ash', 'birch', 'cedar', 'elm', 'fir', 'larch', 'oak', 'pine', 'rowan', 'willow'];
/** The text of memory `n`, and the kind that is in its metadata. */
export const contentOf = (n: number): string =>
  [`n${n}`, ...Array.from({ length: 3 + (n % 9) }, (_, k) => vocabulary[(n * 7 + k * k * 3 + (n % 4) * k) % 10])].join(
    ' ',
  );
/** The person who approved the write of memory `n`; null if no one was asked. */
export const approverOf = (n: number): string | null => (n % 5 === 0 ? `person-${n % 2}` : null);
export const kindOf = (n: number): string => 'abc'.charAt(n % 3);

/** Filters as callers write them, and the memories that pass them. */
export const filters: readonly [string, Readonly<Record<string, unknown>>, (n: number) => boolean][] = [
  ['none', {}, () => true],
  ['a value of metadata', { metadata: { kind: 'b' } }, (n) => kindOf(n) === 'b'],
  ['a range', { metadata: { n: { gte: 40, lt: 90 } } }, (n) => n >= 40 && n < 90],
  [
    'one of two',
    { any: [{ metadata: { n: { lt: 9 } } }, { metadata: { kind: 'c' } }] },
    (n) => n < 9 || kindOf(n) === 'c',
  ],
  ['all but one', { not: [{ metadata: { kind: 'a' } }], source: 'test' }, (n) => kindOf(n) !== 'a'],
  ['an approver', { approved_by: 'person-0' }, (n) => approverOf(n) === 'person-0'],
  ['no approver of two', { not: [{ approved_by: ['person-0', 'person-1'] }] }, (n) => approverOf(n) === null],
  ['a source of no memory', { source: 'elsewhere' }, () => false],
];
