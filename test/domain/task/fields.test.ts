import { describe, expect, it } from 'vitest';
import { fixedPlatforms, taskStatuses } from '../../../contracts/task-receipt.js';
import { createTaskReader } from '../../../src/domain/task/read.js';
import { accepted, acceptedBatch, expectEdges, expectIssue, full, least, now, refused } from './samples.js';

const service = '0ebb429fa86d481c2630fac53db1c91c';
const uuid = '01919f3a-5c00-7a10-8a4e-2f6f0d1c9b01';
const call = { tool: 'a', ok: true };
const texts = ['', ' ', 'x', '😀é', 'a\nb', '\u0001', 'x'.repeat(10_000)];
const noTexts = [null, 1, true, {}, []];

describe('a body of task receipts', () => {
  // @covers TASK-BODY
  it('is one receipt, or an object with 1 to 100 receipts and nothing else', () => {
    expect(accepted(least).task).toEqual(least);
    expect(acceptedBatch({ receipts: [least] }).length).toBe(1);
    expect(acceptedBatch({ receipts: Array(100).fill(least) }).length).toBe(100);
    expectIssue({ receipts: [] }, 'receipts');
    expectIssue({ receipts: Array(101).fill(least) }, 'receipts');
    expectIssue({ receipts: [least], more: 1 }, 'more');
  });

  // @covers TASK-BODY-ONE
  it('with a receipt_id is one receipt, and its receipts are a private member', () => {
    expect(accepted({ ...least, receipts: [1] }).privateText).toBe('{"receipts":[1]}');
  });

  // @covers TASK-FAULT-NAMED
  it('is refused with the first wrong receipt and the paths of its faults', () => {
    const sent = { receipts: [least, { ...least, tool_calls: [call, { ok: 1 }], model: 1 }, {}] };
    const { code, message, details } = refused(sent);
    expect([code, details.index]).toEqual(['invalid_receipt', 1]);
    expect(details.issues).toMatchObject([
      { path: 'model' },
      { path: 'tool_calls.1.tool' },
      { path: 'tool_calls.1.ok' },
    ]);
    expect(message).toMatch(/^Receipt 1: model: /);
    expect(refused({ ...least, model: 1 }).details).not.toHaveProperty('index');
    const many = refused({ ...least, tool_calls: Array(256).fill({}) }).details.issues;
    expect(Array.isArray(many) && many.length).toBe(20);
  });

  // @covers TASK-FAULT-ORDER
  it('is refused for its JSON first, then for the size of a receipt, then for fields', () => {
    const [wrong, large] = [
      { ...least, status: 1 },
      { ...least, x: 'x'.repeat(65_536) },
    ];
    expect(refused({ receipts: [wrong, large] }).code).toBe('receipt_too_large');
    expect(refused(`{"receipts":[${JSON.stringify(large)},{"a":1,"a":1}]}`).code).toBe('invalid_json');
  });

  // @covers TASK-STRICT-JSON
  it('is JSON in which no object has a key twice', () => {
    for (const text of ['', '[]', '{"a":1,"a":1}', '{"x":[{"y":1,"\\u0079":2}]}']) {
      expect([text, refused(text).code]).toEqual([text, 'invalid_json']);
    }
  });

  // @covers TASK-UNICODE
  it('has neither NUL nor halves of surrogate pairs in any text or key', () => {
    const strings = ['"\\u0000"', '"\\ud800"', '"\\uDFFF"', '"\\udc00\\ud800"'];
    for (const text of strings) {
      expectIssue(`${JSON.stringify(full).slice(0, -1)},"x":[${text}]}`, 'x.0');
      expect(refused(`{${text}:1,${JSON.stringify(full).slice(1)}`).code).toBe('invalid_receipt');
    }
    expect(accepted(`${JSON.stringify(least).slice(0, -1)},"x":"\\ud83d\\ude00\\u0001"}`).privateText).not.toBeNull();
  });

  // @covers TASK-SERVER-ASSIGNED
  it.each([
    'id',
    'hash',
    'prev_hash',
    'scope_violations',
    'erc8004_emitted_at',
    'anchor_tx',
    'ots_proof',
  ])('has no member %s', (name) => {
    expect(refused({ ...least, [name]: null })).toMatchObject({
      code: 'server_assigned_field',
      details: { issues: [{ path: name }] },
    });
    // Below the receipt these are names like any other.
    expect(accepted({ ...least, x: { [name]: 1 } }).privateText).toBe(`{"x":{"${name}":1}}`);
  });
});

describe('the members of a task receipt', () => {
  // @covers TASK-REQUIRED
  it.each(Object.keys(least))('include %s', (name) => {
    expectIssue(Object.fromEntries(Object.entries(least).filter(([member]) => member !== name)), name);
  });

  // @covers TASK-OPTIONAL
  it.each(
    Object.keys(full).filter((name) => !Object.hasOwn(least, name)),
  )('may leave out %s, but not say null', (name) => {
    const rest = Object.fromEntries(Object.entries(full).filter(([member]) => member !== name));
    expect(accepted(rest).task).not.toHaveProperty(name);
    expectIssue({ ...full, [name]: null }, name);
  });

  // @covers TASK-ID
  it('receipt_id has 1 to 128 printable characters', () => {
    const right = ['a', 'x'.repeat(128), '😀'.repeat(128), 'a b/c?d#é', '👩\u200d💻', "'; drop table", '../..'];
    expectEdges('receipt_id', right, ['', 'x'.repeat(129), '😀'.repeat(129), 'a\n', '\t', '\u007f', '\u2029', 1, null]);
  });

  // @covers TASK-ID-OF-SERVICE
  it('receipt_id has not the form of an id of the service', () => {
    const right = [
      `rcp_${service}0`,
      `rcp_${service.slice(1)}`,
      `rcp_${service.toUpperCase()}`,
      `xrcp_${service}`,
      'rcp_',
    ];
    expectEdges('receipt_id', right, [`rcp_${service}`, `apr_${service}`]);
  });

  // @covers TASK-ACCOUNT
  it('account_id is a UUID', () => {
    const right = [uuid, uuid.toUpperCase(), '00000000-0000-0000-0000-000000000000'];
    expectEdges('account_id', right, [`${uuid}0`, uuid.slice(1), uuid.replaceAll('-', ''), `{${uuid}}`, '']);
  });

  // @covers TASK-HANDLE
  it('agent_handle is @ and 2 to 32 small letters, digits and hyphens', () => {
    const right = ['@ab', `@${'z'.repeat(32)}`, '@09', '@--'];
    expectEdges('agent_handle', right, [
      '@a',
      `@${'z'.repeat(33)}`,
      'ab',
      '@@ab',
      '@Ab',
      '@a b',
      '@a_b',
      '@ab\n',
      '@äb',
    ]);
  });

  // @covers TASK-PLATFORM
  it('platform is one of eight, or of six that the installation names', () => {
    const six = [1, 2, 3, 4, 5, 6].map((number) => `vendor_platform_${number}`);
    expect(fixedPlatforms).toEqual(['custom', 'gateway', 'mcp', 'browser', 'sdk', 'webhook', 'otel', 'casb']);
    expectEdges('platform', [...fixedPlatforms, ...six], ['', 'MCP', 'vendor_platform_0', 'toString', null]);
    const read = createTaskReader(['Acme', 'b', 'c', 'd', 'e', 'f']);
    const codeOf = (platform: string) => {
      const answer = read(JSON.stringify({ ...least, platform }), now);
      return 'code' in answer ? answer.code : 'accepted';
    };
    expect(['Acme', 'f', 'mcp', 'acme', 'vendor_platform_1'].map(codeOf)).toEqual([
      ...['accepted', 'accepted', 'accepted', 'invalid_receipt', 'invalid_receipt'],
    ]);
  });

  // @covers TASK-TEXTS
  it.each(['model', 'session_id', 'parent_session_id'])('%s is any text', (name) => {
    expectEdges(name, texts, noTexts);
  });

  // @covers TASK-TRACE
  it.each([
    ['trace_id', 32],
    ['span_id', 16],
    ['parent_span_id', 16],
  ])('%s has %d lowercase hex digits', (name, digits) => {
    const right = ['0'.repeat(digits), 'f'.repeat(digits)];
    const wrong = ['', '0'.repeat(digits - 1), '0'.repeat(digits + 1), 'F'.repeat(digits), 'g'.repeat(digits)];
    expectEdges(name, right, [...wrong, `${'0'.repeat(digits)}\n`]);
  });

  // @covers TASK-STATUS
  it('status is one of five', () => {
    expect(taskStatuses).toEqual(['success', 'partial', 'error', 'tool_denied', 'policy_blocked']);
    expectEdges('status', taskStatuses, ['', 'Success', 'denied', 0, null]);
  });

  // @covers TASK-SUMMARY
  it('task_summary has at most 1024 characters', () => {
    for (const right of ['', 'x'.repeat(1024), '😀'.repeat(1024)]) {
      expect(accepted({ ...least, task_summary: right }).privateText).toBe(JSON.stringify({ task_summary: right }));
    }
    for (const wrong of ['x'.repeat(1025), '😀'.repeat(1025), 1, null]) {
      expectIssue({ ...least, task_summary: wrong }, 'task_summary');
    }
  });

  // @covers TASK-CALLS
  it('tool_calls are objects with tool and ok, and optional hashes and latency', () => {
    const hash = '0123456789abcdef'.repeat(4);
    const whole = { ...call, input_hash: hash, output_hash: hash, latency_ms: 0 };
    expectEdges(
      'tool_calls',
      [[], [call], [whole], [{ ...call, tool: '' }], [{ ...call, latency_ms: 2 ** 53 - 1 }]],
      [{}],
    );
    const wrong: readonly (readonly [object, string])[] = [
      [{ ok: true }, 'tool'],
      [{ tool: 'a' }, 'ok'],
      [{ ...call, ok: 'true' }, 'ok'],
      [{ ...call, tool: null }, 'tool'],
      [{ ...call, input_hash: hash.toUpperCase() }, 'input_hash'],
      [{ ...call, output_hash: hash.slice(1) }, 'output_hash'],
      [{ ...call, latency_ms: -1 }, 'latency_ms'],
      [{ ...call, latency_ms: 0.5 }, 'latency_ms'],
      [{ ...call, latency_ms: 2 ** 53 }, 'latency_ms'],
    ];
    for (const [item, member] of wrong) expectIssue({ ...least, tool_calls: [call, item] }, `tool_calls.1.${member}`);
  });

  // @covers TASK-TOKENS
  it.each(['input', 'output', 'cache_read', 'cache_write'])('tokens.%s is a whole number from 0', (name) => {
    expectEdges('tokens', [{}, { [name]: 0 }, { [name]: 2 ** 53 - 1 }], []);
    for (const wrong of [-1, 0.5, 2 ** 53, '1', null])
      expectIssue({ ...least, tokens: { [name]: wrong } }, `tokens.${name}`);
  });

  // @covers TASK-COST
  it('cost_usd is a number from 0, kept as sent', () => {
    expectEdges('cost_usd', [0, 1e-300, 0.1 + 0.2, 1_000_000.1, 1e300], [-1e-9, '1', null]);
  });

  // @covers TASK-SCOPE
  it('declared_scope is a list of texts', () => {
    expectEdges('declared_scope', [[], ['*'], ['', 'a', 'a']], ['*', {}, null]);
    expectIssue({ ...least, declared_scope: ['a', 1] }, 'declared_scope.1');
  });

  // @covers TASK-ATTESTATION
  it('attestations are objects with a type, whose other members are kept', () => {
    const proto: unknown = JSON.parse('{"type":"x","__proto__":{"a":[1]}}');
    const { task } = accepted(`${JSON.stringify(least).slice(0, -1)},"attestations":[${JSON.stringify(proto)}]}`);
    expect(JSON.stringify(task.attestations)).toBe('[{"type":"x","__proto__":{"a":[1]}}]');
    expectEdges('attestations', [[], [{ type: '' }], [{ type: 'jws', n: [{ a: null }] }]], [{}, 'x', null]);
    for (const wrong of ['x', null, [], {}, { type: 1 }])
      expectIssue({ ...least, attestations: [wrong] }, 'attestations.0');
  });
});
