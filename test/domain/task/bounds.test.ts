import { describe, expect, it } from 'vitest';
import { instantOf } from '../../../contracts/instant.js';
import { accepted, acceptedBatch, expectEdges, expectIssue, least, refused } from './samples.js';

const json = JSON.stringify(least);
const withText = (members: string) => `${json.slice(0, -1)},${members}}`;
const sizeRefusal = (limit: number, got: number, index?: number) => ({
  code: 'receipt_too_large',
  details: { ...(index === undefined ? {} : { index }), limit, got },
});

describe('the size of a task receipt', () => {
  // @covers TASK-LIMIT-BYTES
  it('is at most 64 KiB of the text that was sent', () => {
    const filled = (bytes: number) => withText(`"x":"${'é'.repeat((bytes - withText('"x":"é"').length + 1) >> 1)}"`);
    const exact = filled(65_536);
    const text = exact.replace('{', `{${' '.repeat(65_536 - Buffer.byteLength(exact))}`);
    expect(Buffer.byteLength(text)).toBe(65_536);
    accepted(text);
    // White space around a receipt is not part of it.
    accepted(`  ${text}\n`);
    expect(refused(text.replace('{', '{ '))).toMatchObject(sizeRefusal(65_536, 65_537));
    expect(refused(`{"receipts":[${json},${text.replace('{', '{ ')}]}`)).toMatchObject(sizeRefusal(65_536, 65_537, 1));
  });

  // @covers TASK-LIMIT-VALUES
  it('is at most 4,096 values, the receipt itself included', () => {
    const values = (count: number) =>
      withText(
        `"x":[${Array(count - 8)
          .fill('0')
          .join(',')}]`,
      );
    accepted(values(4096));
    expect(refused(values(4097))).toMatchObject(sizeRefusal(4096, 4097));
  });

  // @covers TASK-LIMIT-LEVELS
  it('is at most 16 levels of objects and lists, the receipt itself included', () => {
    const levels = (count: number) => withText(`"x":${'['.repeat(count - 1)}${']'.repeat(count - 1)}`);
    accepted(levels(16));
    expect(refused(levels(17))).toMatchObject(sizeRefusal(16, 17));
    expect(refused(`{"receipts":[${levels(16)},${levels(18)}]}`)).toMatchObject(sizeRefusal(16, 18, 1));
  });

  // @covers TASK-LIMIT-LISTS
  it.each([
    ['tool_calls', 256, { tool: 'a', ok: true }],
    ['declared_scope', 256, 'a'],
    ['attestations', 16, { type: 'a' }],
  ])('is at most this number of %s: %d', (name, most, item) => {
    accepted({ ...least, [name]: Array(most).fill(item) });
    expect(refused({ ...least, [name]: Array(most + 1).fill(item) })).toMatchObject(sizeRefusal(most, most + 1));
  });

  // @covers TASK-LIMIT-SCOPE-LENGTH
  it('is at most 128 characters in an item of declared_scope', () => {
    expectEdges('declared_scope', [['x'.repeat(128)], ['😀'.repeat(128)]], []);
    for (const wrong of ['x'.repeat(129), '😀'.repeat(129)]) {
      expect(refused({ ...least, declared_scope: [wrong] })).toMatchObject(sizeRefusal(128, 129));
    }
  });

  // @covers TASK-LIMIT-OF-BODIES
  it('may be reached by each of 100 receipts, with a thousand unknown members in each', () => {
    const members = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`member-${at}`, [0, 0]]));
    const unknown = { ...members, x: Array(4096 - 3008).fill(0) };
    const read = acceptedBatch({ receipts: Array(100).fill({ ...least, ...unknown }) });
    expect(read.length).toBe(100);
    expect(new Set(read.map(({ privateText }) => privateText))).toEqual(new Set([JSON.stringify(unknown)]));
  });
});

describe('the times of a task receipt', () => {
  // @covers TASK-TIMES
  it.each(['started_at', 'ended_at'])('%s is an RFC 3339 date-time that is a real moment', (name) => {
    const other = name === 'started_at' ? 'ended_at' : 'started_at';
    const right = ['2024-02-29T12:00:00Z', '2000-02-29T00:00:00-00:00', '2026-11-22t08:59:59.123456789z'];
    for (const time of [...right, '0001-01-01T00:00:00Z', '2026-11-22T08:59:59+23:59', '1969-12-31T23:59:59.9Z']) {
      expect(accepted({ ...least, [name]: time, [other]: time }).task).toMatchObject({ [name]: time });
    }
    const days = [
      '2026-02-29',
      '2026-02-30',
      '1900-02-29',
      '2026-04-31',
      '2026-00-10',
      '2026-13-10',
      '2026-01-00',
      '0000-01-01',
    ];
    const clocks = [
      '24:00:00Z',
      '12:60:00Z',
      '12:00:60Z',
      '12:00Z',
      '12:00:00',
      '12:00:00+1',
      '12:00:00+24:00',
      '12:00:00.Z',
    ];
    const wrong = [...days.map((day) => `${day}T12:00:00Z`), ...clocks.map((clock) => `2026-11-21T${clock}`)];
    for (const time of [...wrong, '0001-01-01T00:00:00+00:01', '', 0, null])
      expectIssue({ ...least, [name]: time }, name);
  });

  // @covers TASK-TIMES-ORDER
  it('end when or after they start, to the last digit', () => {
    const pairs: readonly (readonly [string, string, boolean])[] = [
      ['2026-11-22T09:00:00Z', '2026-11-22T09:00:00.000000Z', true],
      ['2026-11-22T09:00:00Z', '2026-11-22T10:00:00+01:00', true],
      ['2026-11-22T09:00:00.0009Z', '2026-11-22T09:00:00.001Z', true],
      ['2026-11-22T09:00:00.0010Z', '2026-11-22T09:00:00.0009Z', false],
      ['2026-11-22T09:00:00.00000000000000002Z', '2026-11-22T09:00:00.00000000000000001Z', false],
      ['2026-11-22T09:00:00Z', '2026-11-22T09:59:59+01:00', false],
    ];
    for (const [started_at, ended_at, right] of pairs) {
      if (right) accepted({ ...least, started_at, ended_at });
      else expectIssue({ ...least, started_at, ended_at }, 'ended_at');
    }
  });

  // @covers TASK-TIMES-AHEAD TASK-TIMES-PAST
  it('end at most 5 minutes after the clock of the service, and as long ago as one likes', () => {
    expectEdges('ended_at', ['2026-11-22T10:05:00Z'], ['2026-11-22T10:05:00.0000001Z', '2026-11-22T10:05:01Z']);
    accepted({ ...least, started_at: '0001-01-01T00:00:00Z', ended_at: '0001-01-01T00:00:00Z' });
  });

  it('are cut to milliseconds for figures, in every year', () => {
    expect(instantOf('2026-11-22T09:00:00.1239Z')).toEqual({ ms: Date.parse('2026-11-22T09:00:00.123Z'), finer: '9' });
    expect(instantOf('1969-12-31T23:59:59.9999Z')?.ms).toBe(-1);
    for (const year of ['0001', '0099', '0100', '1582', '9999']) {
      expect(instantOf(`${year}-06-15T12:34:56.5+02:00`)?.ms).toBe(Date.parse(`${year}-06-15T12:34:56.5+02:00`));
    }
  });
});

describe('the numbers of a task receipt', () => {
  // @covers TASK-DIGITS
  it('have at most 17 significant digits in named members, without zeros around them', () => {
    const right = [
      '0.12345678901234567',
      '12345678901234567000000',
      '0.000000012345678901234567',
      '1.2345678901234567e10',
    ];
    for (const number of [...right, `1.${'0'.repeat(5000)}`, '0.00', '-0', '0e999']) {
      accepted(withText(`"cost_usd":${number},"attestations":[{"type":"a","n":${number}}]`));
    }
    for (const number of [
      '0.123456789012345678',
      '123456789012345678',
      '1.00000000000000001',
      '100000000000000001e3',
    ]) {
      expectIssue(withText(`"cost_usd":${number}`), 'cost_usd');
      expectIssue(withText(`"attestations":[{"type":"a","n":[[[${number}]]]}]`), 'attestations.0.n');
      expectIssue(withText(`"tokens":{"input":${number}}`), 'tokens.input');
      expectIssue(withText(`"tool_calls":[{"tool":"a","ok":true,"latency_ms":${number}}]`), 'tool_calls.0.latency_ms');
    }
  });

  // @covers TASK-DIGITS-PRIVATE
  it('have any digits in members that the schema does not name', () => {
    const number = '1234567890.12345678901234567890e-400';
    const members = `"x":[${number}],"tool_calls":[{"tool":"a","ok":true,"n":${number}}],"tokens":{"n":1e999},"market":${number}`;
    expect(accepted(withText(members)).privateText).toBe(
      `{"x":[${number}],"tool_calls":[{"n":${number}}],"tokens":{"n":1e999},"market":${number}}`,
    );
  });

  it('that are whole are whole as they were sent, not only as doubles', () => {
    expectIssue(withText('"tokens":{"input":5.0000000000000001}'), 'tokens.input');
    expect(accepted(withText('"tokens":{"input":5.000,"output":1.2e1}')).task.tokens).toEqual({ input: 5, output: 12 });
  });
});
