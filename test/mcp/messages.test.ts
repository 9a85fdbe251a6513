import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RpcMessages } from '../../contracts/rpc-messages.js';
import { tryMessages } from '../../src/domain/read-messages.js';
import { mounted } from './harness.js';

const bytes = (text: string) => Buffer.from(text, 'utf8');
const read = (text: string): RpcMessages => {
  const messages = tryMessages(bytes(text));
  if ('refused' in messages) throw new Error(messages.why);
  return messages;
};

/** Every way to write a number that JSON has, if its value is finite. */
const numbers = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(fc.constant('0'), fc.stringMatching(/^[1-9]\d{0,40}$/)),
    fc.constantFrom('', '.0', '.50', '.000000000000000000001'),
    fc.constantFrom('', 'e3', 'E+2', 'e-400', 'e0'),
  )
  .map((parts) => parts.join(''))
  .filter((literal) => Number.isFinite(Number(literal)));
const strings = fc.oneof(
  fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text)),
  fc.constantFrom('"\\u0061"', '"\\/"', '"\\ud800"', '"\\u00e9é"', '""', '" "'),
);
const blank = fc.constantFrom('', ' ', '\n\t', '  ');

describe('ids', () => {
  const { send } = mounted();

  // @covers MCP-IDS
  it('come back as the literal that was sent', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(numbers, strings), blank, fc.boolean(), async (id, gap, isBatch) => {
        const message = `{"method":"ping",${gap}"id"${gap}:${gap}${id}${gap},"jsonrpc":"2.0"}`;
        const { status, text } = await send(isBatch ? `[${message}]` : message);
        const response = `{"jsonrpc":"2.0","id":${id},"result":{}}`;
        expect([status, text]).toEqual([200, isBatch ? `[${response}]` : response]);
      }),
      { numRuns: 150 },
    );
  });

  // @covers MCP-IDS
  it.each(['1.0', '1e3', '-0', '123456789012345678901234567890', '"\\u0061"'])('%s', async (id) => {
    const { text } = await send(`{"jsonrpc":"2.0","id":${id},"method":"forget"}`);
    expect(text).toContain(`"id":${id},"error"`);
  });
});

describe('messages', () => {
  it('are read with their arguments as they were sent, wherever these stand', () => {
    const args = '{"b" : 1.0,"a":[ 1e3 ]}';
    const text = `[{"jsonrpc":"2.0","method":"m"},{"params":{"_meta":{"arguments":1},"arguments":${args}},"id":1,"method":"n","jsonrpc":"2.0"}]`;
    expect(read(text).messages).toEqual([
      { id: null, method: 'm', params: {}, argumentsText: '' },
      {
        id: '1',
        method: 'n',
        params: { _meta: { arguments: 1 }, arguments: { b: 1, a: [1000] } },
        argumentsText: args,
      },
    ]);
  });

  it('are the same as JSON.parse says', () => {
    const message = fc.record({
      jsonrpc: fc.constant('2.0'),
      id: fc.oneof(fc.integer(), fc.string()),
      method: fc.string(),
      params: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 }),
    });
    fc.assert(
      fc.property(fc.array(message, { minLength: 1, maxLength: 4 }), (messages) => {
        const text = JSON.stringify(messages);
        const found = read(text).messages;
        expect(found.map(({ id, method, params }) => ({ id: JSON.parse(id ?? 'null'), method, params }))).toEqual(
          JSON.parse(text).map(({ id, method, params }: RpcMessages['messages'][number]) => ({ id, method, params })),
        );
      }),
      { numRuns: 100 },
    );
  });

  it('are refused when they are not UTF-8', () => {
    expect(tryMessages(Buffer.from([0x22, 0xff, 0x22]))).toMatchObject({ refused: 'not JSON' });
  });
});
