import { describe, expect, it } from 'vitest';
import { table } from '../../ops/bench/machine.js';
import { type Counts, type Kind, kinds } from '../../src/domain/redaction/finding.js';
import { redact } from '../../src/domain/redaction/redact.js';
import { type Example, later, negatives, positives } from './corpus.js';

/** The quality that was reached, rounded down: a change that finds less, or takes more for what it is not, shows here. */
const floors: Readonly<Record<Kind, { readonly recall: number; readonly precision: number }>> = {
  private_key: { recall: 1, precision: 1 },
  token: { recall: 1, precision: 1 },
  iban: { recall: 1, precision: 1 },
  card: { recall: 1, precision: 1 },
  email: { recall: 1, precision: 1 },
  phone: { recall: 0.99, precision: 0.99 },
};

interface Score {
  expected: number;
  right: number;
  wrong: number;
}

/** A value counts as found only when its text went whole, nothing beside it went, and its kind is right. */
function score(kind: Kind, examples: readonly Example[]): Score {
  const sum: Score = { expected: 0, right: 0, wrong: 0 };
  for (const { text, expected, redacted } of examples) {
    const after = redact(text);
    const wanted = expected.filter((one) => one.kind === kind).length;
    const found = after.found[kind] ?? 0;
    const exact = after.text === redacted ? Math.min(wanted, found) : 0;
    sum.expected += wanted;
    sum.right += exact;
    sum.wrong += found - exact;
  }
  return sum;
}

const all = [...positives, ...negatives, ...later];
const scores = kinds.map((kind) => ({ kind, ...score(kind, all) }));
const recallOf = ({ right, expected }: Score) => right / expected;
const precisionOf = ({ right, wrong }: Score) => right / (right + wrong);

describe('redaction of the corpus', () => {
  // @covers RULE-REDACT-KINDS
  it('finds what it should and leaves the rest', () => {
    const total = scores.reduce((sum, one) => ({
      kind: one.kind,
      expected: sum.expected + one.expected,
      right: sum.right + one.right,
      wrong: sum.wrong + one.wrong,
    }));
    const row = (name: string, one: Score) => [
      name,
      one.expected,
      one.right,
      one.wrong,
      recallOf(one).toFixed(3),
      precisionOf(one).toFixed(3),
    ];
    console.log(
      table([
        ['kind', 'there', 'found', 'wrong', 'recall', 'precision'],
        ...scores.map((one) => row(one.kind, one)),
        row('all', total),
      ]),
    );
    const missed = all.filter(({ text, redacted }) => redact(text).text !== redacted).map(({ text }) => text);
    console.log(`Not as they should be:\n${missed.join('\n')}`);
    for (const one of scores) {
      expect([one.kind, recallOf(one) >= floors[one.kind].recall]).toEqual([one.kind, true]);
      expect([one.kind, precisionOf(one) >= floors[one.kind].precision]).toEqual([one.kind, true]);
    }
    expect(recallOf(total)).toBeGreaterThanOrEqual(0.99);
    expect(precisionOf(total)).toBeGreaterThanOrEqual(0.99);
  });

  it('has enough of every kind, and enough of what is none', () => {
    expect(negatives.length).toBeGreaterThanOrEqual(300);
    expect(positives.length).toBeGreaterThanOrEqual(300);
    for (const one of scores) expect(one.expected).toBeGreaterThanOrEqual(15);
    expect(new Set(all.map(({ text }) => text)).size).toBe(all.length);
  });

  it('changes nothing when it is done again', () => {
    const whole = all.map(({ text }) => text).join('\n');
    const texts = [...all.map(({ text }) => text), whole, whole.replaceAll('\n', ' '), whole.replaceAll('\n', '')];
    for (const text of texts) {
      const once = redact(text).text;
      expect(redact(once)).toEqual({ text: once, found: {} });
    }
  });

  it('finds as much when other text stands around it', () => {
    for (const { text, redacted } of positives) {
      expect(redact(`Some notes.\n${text}\nMore notes.`).text).toBe(
        redact(text).text === redacted ? `Some notes.\n${redacted}\nMore notes.` : expect.any(String),
      );
    }
  });

  it('counts what it replaces', () => {
    const counts: Counts = { email: 2, card: 1 };
    expect(redact('a@example.com, b@example.com, 4111 1111 1111 1111').found).toEqual(counts);
    expect(redact('nothing here').found).toEqual({});
  });
});
