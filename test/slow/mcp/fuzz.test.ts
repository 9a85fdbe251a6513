import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { meta } from '../../mcp/forms.js';
import { good, mounted } from '../../mcp/harness.js';
import { repeats } from '../../support/repeats.js';

const methods = [
  'initialize',
  'ping',
  'server/discover',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'notifications/cancelled',
  'notifications/initialized',
  '__proto__',
  'toString',
  '',
];
const anything = fc.jsonValue({ maxDepth: 4 });
const hostile = fc.oneof(
  anything,
  fc.constantFrom('__proto__', 'constructor', '\0', '\ud800', 'x'.repeat(100_000), -0, 1e308, null, {}, []),
);
const params = fc.record(
  {
    name: fc.oneof(fc.constantFrom('echo', 'refuse', 'nothing_done', 'forget', 'with_memory'), hostile),
    arguments: fc.oneof(
      fc.record({ code: fc.constantFrom('invalid_query', 'rate_limited', 'read_only', 'not_ready', 'unknown') }),
      fc.record({ question: fc.string() }),
      hostile,
    ),
    uri: fc.oneof(fc.constant('memory://1'), hostile),
    cursor: hostile,
    ref: fc.oneof(
      fc.record({ type: fc.constantFrom('ref/prompt', 'ref/resource'), name: hostile, uri: hostile }),
      hostile,
    ),
    argument: fc.oneof(fc.record({ name: hostile, value: hostile }), hostile),
    protocolVersion: hostile,
    _meta: fc.oneof(
      fc.constant(meta),
      fc.record({ 'counterfoil/run': hostile, 'counterfoil/idempotencyKey': hostile, progressToken: hostile }),
      fc.record(Object.fromEntries(Object.keys(meta).map((key) => [key, hostile]))),
      hostile,
    ),
  },
  { requiredKeys: [] },
);
const message = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ jsonrpc: fc.constant('2.0'), id: hostile, method: fc.constantFrom(...methods), params }),
  },
  { weight: 2, arbitrary: fc.record({ jsonrpc: fc.constant('2.0'), method: fc.constantFrom(...methods), params }) },
  {
    weight: 1,
    arbitrary: fc.record({ jsonrpc: hostile, id: hostile, method: hostile, params: hostile }, { requiredKeys: [] }),
  },
  { weight: 1, arbitrary: anything },
);
const body = fc.oneof(
  { weight: 6, arbitrary: message.map((one) => JSON.stringify(one)) },
  { weight: 2, arbitrary: fc.array(message, { maxLength: 25 }).map((all) => JSON.stringify(all)) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(message, fc.nat(), fc.constantFrom('"', '{', '}', ',', '\\\\', 'é', '0', '\\0'))
      .map(([one, at, put]) => {
        const text = JSON.stringify(one) ?? '';
        const cut = at % (text.length + 1);
        return text.slice(0, cut) + put + text.slice(cut + (at % 3));
      }),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
);
const headers = fc.record(
  {
    'mcp-protocol-version': fc.constantFrom('2024-11-05', '2025-11-25', '2026-07-28', 'v999', ''),
    'mcp-method': fc.constantFrom(...methods.filter((name) => name !== '')),
    'mcp-name': fc.constantFrom('echo', '=?base64?ZWNobw==?=', '=?base64?%%?=', 'x'),
    'mcp-session-id': fc.constantFrom('s', 'x'.repeat(200), 'é', ''),
    'x-service-run': fc.constantFrom('r', 'x'.repeat(200)),
    'content-type': fc.constantFrom('application/json', 'application/json', 'application/json', 'text/plain'),
    authorization: fc.constantFrom(good, good, good, good, 'Bearer agk_other', 'Bearer'),
    origin: fc.constantFrom('https://memory.example.org', 'https://evil.example'),
  },
  { requiredKeys: ['authorization', 'content-type'] },
);
const allowed = [200, 202, 400, 401, 403, 404, 415];

describe('hostile messages', () => {
  const { send } = mounted();

  // @covers MCP-SHAPE
  it('are answered in the form of JSON-RPC, and never with a failure of the server', async () => {
    const seen = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(body, headers, async (text, sent) => {
        const { status, json } = await send(text, sent);
        seen.set(status, (seen.get(status) ?? 0) + 1);
        expect(allowed).toContain(status);
        for (const one of Array.isArray(json) ? json : status === 202 ? [] : [json]) {
          expect(one.jsonrpc).toBe('2.0');
          expect('result' in one).not.toBe('error' in one);
          if ('error' in one) expect([-32603, ...codes]).toContain(one.error.code);
        }
      }),
      { numRuns: repeats('MESSAGES') },
    );
    // Most of the rules have been reached.
    for (const status of [200, 202, 400, 401, 403, 415]) expect(seen.get(status) ?? 0).toBeGreaterThan(0);
  }, 600_000);
});

const codes = [-32700, -32600, -32601, -32602, -32000, -32020, -32022];
