import { describe, expect, it } from 'vitest';
import { headersOf } from '../../src/cli/mcp/headers.js';
import { readMessage, refusal, refusalOfCut } from '../../src/cli/mcp/message.js';
import { createRelay } from '../../src/cli/mcp/relay.js';
import { unknownId } from '../../src/mcp/protocol/version.js';
import { startAnswering } from './answering.js';

const error = { code: -32000, message: 'refused', data: { n: 1 } };
const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };

/** The answer of `counterfoil mcp` to a line that it refuses in a session of this version. */
function refused(line: string, version?: string): unknown {
  const message = readMessage(Buffer.from(line));
  const headers = headersOf(message.value, version === undefined ? {} : { version });
  const answer = refusal(message, error, unknownId(headers));
  return answer === undefined ? undefined : JSON.parse(answer);
}

describe('a line of MCP that is refused', () => {
  const withNull = { jsonrpc: '2.0', id: null, error };
  const withNone = { jsonrpc: '2.0', error };

  // @covers MCP-STDIO-REFUSED
  it.each([
    ['before a session', undefined, withNull],
    ['in a session of 2025-06-18', '2025-06-18', withNull],
    ['in a session of 2025-11-25', '2025-11-25', withNone],
  ])('is answered %s with the id null or with none, as the version says, where it has none to read', (_, version, expected) => {
    expect(refused('nonsense', version)).toEqual(expected);
    expect(refused('{"method":"m","id":[]}', version)).toEqual(expected);
    expect(refused('[{"jsonrpc":"2.0","id":1.50,"method":"m"},7,{"method":"m"}]', version)).toEqual([
      { jsonrpc: '2.0', id: 1.5, error },
      expected,
    ]);
    const noId = unknownId(headersOf(undefined, version === undefined ? {} : { version }));
    expect(JSON.parse(refusalOfCut(Buffer.from('{"params":"x'), Buffer.from('x"}'), error, noId))).toEqual(expected);
  });

  // @covers MCP-STDIO-REFUSED
  it('is answered by the version that the service has agreed to', async () => {
    const service = await startAnswering();
    const whole = { number: 1, cut: false, tail: new Uint8Array(), end: 0 };
    const relay = createRelay({ url: `${service.url}/mcp`, key: 'agk_a' });
    const answered = async (line: string) => JSON.parse((await relay({ ...whole, bytes: Buffer.from(line) })) ?? '');
    service.respondWith(() => ({ status: 429, body: JSON.stringify(withNone) }));
    expect(await answered('nonsense')).toEqual(withNull);
    service.respondWith(() => ({ body: '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25"}}' }));
    await answered('{"jsonrpc":"2.0","id":1,"method":"initialize"}');
    service.respondWith(() => ({ status: 429, body: JSON.stringify(withNone) }));
    expect(await answered('nonsense')).toEqual(withNone);
    await service.close();
    expect(await answered('nonsense')).not.toHaveProperty('id');
  });

  // @covers MCP-STDIO-REFUSED
  it('is answered by its own version if it names one', () => {
    expect(refused(JSON.stringify({ method: 'm', id: [], params: { _meta } }), '2025-06-18')).toEqual(withNone);
  });
});
