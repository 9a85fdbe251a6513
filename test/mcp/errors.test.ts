import { describe, expect, it } from 'vitest';
import { errors } from '../../contracts/errors.js';
import { forms, stateless } from './forms.js';
import { mounted } from './harness.js';

const { send } = mounted();

/** The refusals of operations that a tool can meet, by the answer that they become. */
const refusable = Object.entries(errors).map(([code, [status, sentence]]) => ({ code, status, sentence }));
const toModel = refusable.filter(
  ({ code, status }) =>
    code === 'agent_required' ||
    ([402, 403, 404, 409, 413, 422, 423, 429, 503].includes(status) && code !== 'agent_not_linked'),
);
const aboutArguments = refusable.filter(({ code, status }) => status === 400 && code !== 'agent_required');

const call = (name: string, args: object = {}) => ({ name, arguments: args });

describe.each(Object.entries(forms))('errors of messages: %s', (form, ask) => {
  const tool = async (args: object) => (await ask(send, 'tools/call', call('refuse', args))).message;

  // @covers MCP-ERRORS
  it.each(toModel)('$code is a result that says what to do', async ({ code, sentence }) => {
    const { result, error, id } = await tool({ code, details: { some: 'detail' } });
    expect([error, id]).toEqual([undefined, 1]);
    expect(result).toMatchObject({
      isError: true,
      _meta: { 'counterfoil/error': { code, details: { some: 'detail' } } },
    });
    expect(result.content).toEqual([{ type: 'text', text: `${code}: ${sentence}` }]);
    expect('structuredContent' in result).toBe(false);
  });

  // @covers MCP-ERRORS
  it.each(aboutArguments)('$code is an error about the arguments', async ({ code, sentence }) => {
    const { status, message } = await ask(send, 'tools/call', call('refuse', { code, details: { path: 'k' } }));
    expect([status, message.error.code]).toEqual([200, -32602]);
    expect(message.error.message).toBe(sentence);
    expect(message.error.data).toEqual({ code, issues: [{ path: 'k', message: sentence }] });
  });

  // @covers MCP-ERRORS
  it('passes on the issues that a tool has found', async () => {
    const issues = [
      { path: 'a', message: 'a is wrong' },
      { path: 'b', message: 'b too' },
    ];
    const { error } = await tool({ code: 'invalid_query', details: { issues } });
    expect(error.data).toEqual({ code: 'invalid_query', issues });
    // Otherwise the code names the argument.
    expect((await tool({ code: 'invalid_query' })).error.data.issues[0].path).toBe('query');
  });

  // @covers MCP-ERRORS
  it('says how long to wait for the budget of the workspace', async () => {
    const { result } = await tool({ code: 'rate_limited', details: { retry_after_seconds: 17 } });
    expect(result.content[0].text).toMatch(/^rate_limited: wait 17 seconds/);
    expect(result.isError).toBe(true);
  });

  // @covers MCP-ERRORS
  it('names the request, and nothing of the cause, when something unforeseen happens', async () => {
    const { status, message } = await ask(send, 'tools/call', call('refuse', { fail: true }));
    expect([status, message.error.code]).toEqual([200, -32603]);
    expect(message.error.data.request_id).toMatch(/\S/);
    expect(JSON.stringify(message)).not.toContain('secret');
  });

  // @covers MCP-ERRORS
  it('has a result for an unknown tool, and for a tool that did nothing', async () => {
    const unknown = (await ask(send, 'tools/call', call('forget'))).message.result;
    expect(unknown).toMatchObject({ isError: true, _meta: { 'counterfoil/error': { code: 'unknown_tool' } } });
    expect(unknown.content[0].text).toMatch(/^unknown_tool: .*echo/);
    const none = (await ask(send, 'tools/call', call('nothing_done'))).message.result;
    const error = { code: 'plan_limit', details: {} };
    expect(none).toMatchObject({ isError: true, structuredContent: {}, _meta: { 'counterfoil/error': error } });
  });

  // @covers MCP-ERRORS
  it.each([
    ['tools/call', {}, 'name'],
    ['tools/call', { name: 7 }, 'name'],
    ['tools/call', { name: 'echo', arguments: [] }, 'arguments'],
    ['tools/list', { cursor: 'x' }, 'cursor'],
    ['prompts/list', { cursor: 'x' }, 'cursor'],
    ['resources/list', { cursor: 5 }, 'cursor'],
    ['resources/templates/list', { cursor: 'x' }, 'cursor'],
    ['resources/read', {}, 'uri'],
    ['resources/read', { uri: 'memory://2' }, 'uri'],
    ['prompts/get', { name: 'other' }, 'name'],
    ['prompts/get', { name: 'with_memory' }, 'question'],
    ['prompts/get', { name: 'with_memory', arguments: { question: 1 } }, 'question'],
    ['prompts/get', { name: 'with_memory', arguments: { question: 'q', other: 'x' } }, 'arguments'],
    ['completion/complete', {}, 'argument'],
    ['completion/complete', { argument: { name: 'id', value: '1' } }, 'ref'],
    ['completion/complete', { ref: { type: 'ref/resource', uri: 'memory://{id}' }, argument: {} }, 'argument.name'],
    ['tools/call', { name: 'echo', _meta: { 'counterfoil/idempotencyKey': 7 } }, '_meta.counterfoil/idempotencyKey'],
    [
      'tools/call',
      { name: 'echo', _meta: { 'counterfoil/idempotency_key': 'a' } },
      '_meta.counterfoil/idempotency_key',
    ],
  ])('%s with %j names %s', async (method, params, path) => {
    const { status, message } = await ask(send, method, params);
    expect([status, message.error.code]).toEqual([200, -32602]);
    expect(message.error.data.issues).toMatchObject([{ path }]);
  });

  // @covers MCP-ERRORS
  it.each([
    'forget',
    '__proto__',
    'constructor',
    'logging/setLevel',
    'resources/subscribe',
    'subscriptions/listen',
  ])('there is no method %s', async (method) => {
    const { status, message } = await ask(send, method, {});
    expect([status, message.error.code, message.id]).toEqual([form === 'stateless' ? 404 : 200, -32601, 1]);
  });

  // @covers MCP-ERRORS
  it('refuses the client itself with a status of HTTP', async () => {
    for (const [code, status] of [
      ['agent_not_linked', 403],
      ['unauthorized', 401],
    ] as const) {
      const answered = await ask(send, 'tools/call', call('refuse', { code }));
      expect([answered.status, answered.message.error.code]).toEqual([form === 'batch' ? 200 : status, -32000]);
      expect(answered.message.error.data.code).toBe(code);
    }
  });
});

describe('errors of requests', () => {
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

  // @covers MCP-ERRORS MCP-DUPLICATES
  it.each([
    '',
    'x',
    '{',
    '{"jsonrpc":"2.0","id":1,"id":1,"method":"ping"}',
    '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":{"b":1,"\\u0062":2}}}',
    '[{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":[{"b":1,"b":2}]}}]',
    '"\ud800',
    `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${'['.repeat(70)}${']'.repeat(70)}}}`,
    `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":[${'1,'.repeat(40_000)}1]}}`,
  ])('is not JSON: %.60s', async (body) => {
    const { status, json } = await send(body);
    expect([status, json.error.code, json.id]).toEqual([400, -32700, null]);
  });

  // @covers MCP-ERRORS MCP-IDS
  it.each([
    [5, null],
    [null, null],
    ['"text"', null],
    [{}, null],
    [{ foo: 1 }, null],
    [{ jsonrpc: '1.0', id: 1, method: 'ping' }, 1],
    [{ id: 'a', method: 'ping' }, 'a'],
    [{ jsonrpc: '2.0', id: 1 }, 1],
    [{ jsonrpc: '2.0', id: 1, result: {} }, 1],
    [{ jsonrpc: '2.0', id: 1, method: 5 }, 1],
    [{ jsonrpc: '2.0', id: null, method: 'ping' }, null],
    [{ jsonrpc: '2.0', id: true, method: 'ping' }, null],
    [{ jsonrpc: '2.0', id: [1], method: 'ping' }, null],
    [{ jsonrpc: '2.0', id: {}, method: 'ping' }, null],
    ['{"jsonrpc":"2.0","id":1e999,"method":"ping"}', null],
    [{ jsonrpc: '2.0', id: 1, method: 'ping', params: [] }, 1],
    [[], null],
    [[ping, 5], null],
    [[ping, { ...ping, id: null }], null],
    [[[ping]], null],
    [Array.from({ length: 21 }, () => ping), null],
    [Array.from({ length: 2000 }, () => ping), null],
  ])('is no request: %.60j', async (body, id) => {
    const { status, json } = await send(body);
    expect([status, json.error.code, json.id]).toEqual([400, -32600, id]);
  });

  // @covers MCP-ERRORS
  it.each([
    [401, '', ''],
    [401, 'Bearer agk_other', ''],
    [403, 'Bearer agk_narrow', ''],
    [403, 'Bearer agk_unlinked', ''],
    [415, '', 'text/plain'],
    [415, '', 'application/jsonx'],
  ])('answers %i in the form of JSON-RPC', async (status, authorization, type) => {
    const isOfType = type !== '';
    const { json, headers, ...answered } = await send(ping, {
      ...(isOfType ? { 'content-type': type } : { authorization }),
    });
    expect([answered.status, json.error.code, json.id]).toEqual([status, -32000, null]);
    expect(headers['content-type']).toMatch(/^application\/json/);
  });

  it('takes a content type with parameters, and no encoded body', async () => {
    expect((await send(ping, { 'content-type': 'Application/JSON; charset=utf-8' })).status).toBe(200);
    expect((await send(ping, { 'content-encoding': 'gzip' })).status).toBe(415);
    expect((await send(ping, { 'content-type': '' })).status).toBe(415);
  });

  // @covers MCP-ERRORS
  it('takes 8 MiB and no more', async () => {
    const padded = (bytes: number) => JSON.stringify(ping) + ' '.repeat(bytes - JSON.stringify(ping).length);
    const most = 8 * 1024 * 1024;
    expect((await send(padded(most))).status).toBe(200);
    const { status, json } = await send(padded(most + 1));
    expect([status, json.error.code]).toEqual([413, -32000]);
  });

  // @covers MCP-ERRORS
  it('does not show why the service itself has failed', async () => {
    const { status, json, text } = await send(ping, { authorization: 'Bearer agk_broken' });
    expect([status, json.error.code]).toEqual([200, -32603]);
    expect(text).not.toContain('identify');
  });

  // @covers MCP-STATELESS
  it('requires of stateless requests what their version does', async () => {
    const { body, headers } = stateless('tools/call', { name: 'echo' });
    const without = (key: string) => {
      const _meta = Object.fromEntries(Object.entries(body.params._meta).filter(([name]) => name !== key));
      return { ...body, params: { ...body.params, _meta } };
    };
    for (const key of ['protocolVersion', 'clientCapabilities'].map((name) => `io.modelcontextprotocol/${name}`)) {
      const { status, json } = await send(without(key), headers);
      expect([status, json.error.code, json.id]).toEqual([400, -32602, 1]);
      expect(json.error.data.issues).toMatchObject([{ path: `_meta.${key}` }]);
    }
    expect((await send({ ...body, params: {} }, headers)).json.error.data.issues).toHaveLength(2);
  });

  // @covers MCP-STATELESS
  it.each([
    ['mcp-protocol-version', undefined],
    ['mcp-protocol-version', '2025-11-25'],
    ['mcp-method', undefined],
    ['mcp-method', 'tools/list'],
    ['mcp-method', 'TOOLS/CALL'],
    ['mcp-name', undefined],
    ['mcp-name', 'refuse'],
    ['mcp-name', '=?base64?ZWNob28=?='],
  ])('refuses a stateless request whose %s is %s', async (name, value) => {
    const { body, headers } = stateless('tools/call', { name: 'echo' });
    const rest = Object.fromEntries(Object.entries(headers).filter(([one]) => one !== name));
    const { status, json } = await send(body, value === undefined ? rest : { ...rest, [name]: value });
    expect([status, json.error.code, json.id]).toEqual([400, -32020, 1]);
  });

  it('takes a name in base64, and headers with blanks around them', async () => {
    const { body, headers } = stateless('tools/call', { name: 'echo' });
    const named = { ...headers, 'mcp-name': `=?base64?${Buffer.from('echo').toString('base64')}?=` };
    expect((await send(body, named)).status).toBe(200);
  });

  // @covers MCP-VERSIONS
  it('names the versions that it speaks to a client that speaks another', async () => {
    const unknown = 'v999';
    const session = await send(ping, { 'mcp-protocol-version': unknown });
    expect([session.status, session.json.error.code]).toEqual([400, -32022]);
    const { requested, supported } = session.json.error.data;
    expect([requested, supported]).toEqual([unknown, ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']]);
    const { body, headers } = stateless('tools/list', {
      _meta: { 'io.modelcontextprotocol/protocolVersion': unknown },
    });
    const { status, json } = await send(body, { ...headers, 'mcp-protocol-version': unknown });
    expect([status, json.error.code]).toEqual([400, -32022]);
    expect(json.error.data).toEqual({ supported: ['2026-07-28'], requested: unknown });
  });

  // @covers MCP-BATCHES
  it('has no batches in the stateless era', async () => {
    const { body, headers } = stateless('tools/list');
    for (const [messages, more] of [
      [[body], {}],
      [[ping, body], {}],
      [[ping], headers],
      [[body], headers],
    ] as const) {
      const { status, json } = await send(messages, more);
      expect([status, json.error.code, 'id' in json]).toEqual([400, -32600, false]);
    }
  });
});
