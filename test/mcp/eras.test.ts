import { beforeEach, describe, expect, it } from 'vitest';
import { meta, stateless } from './forms.js';
import { mounted } from './harness.js';

const { send, called } = mounted();
beforeEach(() => called.splice(0));

const request = (method: string, params: object = {}, id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params });
const versions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
const runs = () => called.map(({ calling }) => calling.caller.actor.run_id);

describe('the session era', () => {
  // @covers MCP-VERSIONS
  it('agrees to the version that a client asks for, and offers the newest one otherwise', async () => {
    for (const [asked, agreed] of [
      ...versions.map((version) => [version, version]),
      ['2026-07-28', '2025-11-25'],
      ['v999', '2025-11-25'],
      [7, '2025-11-25'],
    ]) {
      const { status, json } = await send(request('initialize', { protocolVersion: asked, capabilities: {} }));
      expect([status, json.result.protocolVersion]).toEqual([200, agreed]);
    }
  });

  // @covers MCP-INFO
  it('says what it is and what it can, and no more', async () => {
    const { json } = await send(request('initialize', { protocolVersion: '2025-06-18' }));
    const { capabilities, serverInfo, instructions } = json.result;
    expect(capabilities).toEqual({ tools: {}, resources: {}, prompts: {}, completions: {} });
    expect(serverInfo).toMatchObject({ name: 'counterfoil', title: 'Counterfoil', version: '0.0.0' });
    expect(Object.keys(serverInfo).sort()).toEqual(['name', 'title', 'version']);
    expect(instructions).toBe('Do as the tests say.');
  });

  // @covers MCP-VERSIONS
  it.each([undefined, ...versions])('answers with the header %s', async (version) => {
    const headers = version === undefined ? {} : { 'mcp-protocol-version': version };
    const { status, json } = await send(request('ping', {}, 'p'), headers);
    expect([status, json]).toEqual([200, { jsonrpc: '2.0', id: 'p', result: {} }]);
    const { result } = (await send(request('tools/call', { name: 'echo', arguments: { a: 1 } }), headers)).json;
    const content = [{ type: 'text', text: '{"a":1}' }];
    const isOld = version === '2024-11-05' || version === '2025-03-26';
    expect(result).toEqual(isOld ? { content } : { content, structuredContent: { a: 1 } });
    expect((await send(request('server/discover'), headers)).json.error.code).toBe(-32601);
  });

  // @covers MCP-VERSIONS MCP-BATCHES
  it('answers all of a batch for the version with which it begins', async () => {
    const [begun, listed] = (
      await send([request('initialize', { protocolVersion: '2025-03-26' }), request('prompts/list')])
    ).json;
    expect(Object.keys(begun.result.serverInfo)).toEqual(['name', 'version']);
    expect('title' in listed.result.prompts[0]).toBe(false);
    expect('title' in (await send(request('prompts/list'))).json.result.prompts[0]).toBe(true);
  });

  // @covers MCP-VERSIONS MCP-ERRORS
  it.each([
    [undefined, { id: null }],
    ['2025-06-18', { id: null }],
    ['2025-11-25', {}],
    ['2026-07-28', {}],
    ['2099-01-01', { id: null }],
  ])('has for %s the id of an error that belongs to no request as that version has it', async (version, id) => {
    const headers = version === undefined ? {} : { 'mcp-protocol-version': version };
    for (const [body, more] of [
      ['{', {}],
      [{ jsonrpc: '2.0', id: null, method: 'ping' }, {}],
      [request('ping'), { authorization: 'Bearer agk_other' }],
      [request('ping'), { origin: 'https://evil.example' }],
    ] as const) {
      const { json } = await send(body, { ...headers, ...more });
      expect(json).toEqual({ jsonrpc: '2.0', ...id, error: expect.any(Object) });
    }
  });

  // @covers MCP-RUN
  it('names its sessions at random, and takes everything that is sent back as the run', async () => {
    const ids = [];
    for (const body of [request('initialize'), [request('ping'), request('initialize')]]) {
      ids.push((await send(body)).headers['mcp-session-id']);
    }
    expect(new Set(ids).size).toBe(2);
    expect(ids).toEqual([expect.stringMatching(/^[\x21-\x7e]{20,128}$/), expect.any(String)]);
    expect('mcp-session-id' in (await send(request('ping'))).headers).toBe(false);
    const call = request('tools/call', { name: 'echo' });
    await send(call, { 'mcp-session-id': 'never given out' });
    await send(call, { 'mcp-session-id': 'x'.repeat(128) });
    await send(call, { 'mcp-session-id': 'x'.repeat(129) });
    await send(call, { 'mcp-session-id': 'caf\u00e9' });
    await send(call);
    expect(runs()).toEqual(['never given out', 'x'.repeat(128), null, null, null]);
  });

  // @covers MCP-NOTIFICATIONS
  it.each([
    ['notifications/initialized', {}],
    ['notifications/cancelled', { requestId: 1 }],
    ['notifications/unheard', {}],
    ['tools/call', { name: 'echo' }],
  ])('takes the notification %s and answers nothing', async (method, params) => {
    const { status, text } = await send({ jsonrpc: '2.0', method, params });
    expect([status, text]).toEqual([202, '']);
    expect((await send([{ jsonrpc: '2.0', method, params }])).status).toBe(202);
    expect(called).toEqual([]);
  });

  // @covers MCP-BATCHES
  it.each([undefined, ...versions])('answers a batch in order, with the header %s', async (version) => {
    const headers = version === undefined ? {} : { 'mcp-protocol-version': version };
    const call = (id: unknown, n: number) => request('tools/call', { name: 'echo', arguments: { n } }, id);
    const body = [
      call('same', 1),
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'same' } },
      call('same', 2),
      request('forget', {}, 3),
      call(4, 3),
      request('initialize', {}, 5),
    ];
    const { status, json } = await send(body, headers);
    expect([status, json.map(({ id }: { id: unknown }) => id)]).toEqual([200, ['same', 'same', 3, 4, 5]]);
    expect(json[2].error.code).toBe(-32601);
    expect(called.map(({ text }) => text)).toEqual(['{"n":1}', '{"n":2}', '{"n":3}']);
    const twenty = Array.from({ length: 20 }, () => request('ping'));
    expect((await send(twenty, headers)).json).toHaveLength(20);
    expect((await send([request('ping')], headers)).json).toHaveLength(1);
  });

  it('hands arguments on exactly as they were sent, with the key of repetition', async () => {
    const args = '{ "n": 1.0, "big": 123456789012345678901234567890, "e":1e3 }';
    await send(
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":${args},` +
        '"_meta":{"progressToken":"p","counterfoil/idempotencyKey":"once"}}}',
    );
    expect(called[0]).toMatchObject({ text: args, calling: { idempotencyKey: 'once' } });
  });

  it('offers lists, resources, prompts and completion', async () => {
    const result = async (method: string, params: object = {}) => (await send(request(method, params))).json.result;
    expect((await result('tools/list')).tools.map(({ name }: { name: string }) => name)).toContain('echo');
    expect(await result('resources/list')).toEqual({ resources: [{ uri: 'memory://1', name: '1' }], nextCursor: 'c' });
    expect('nextCursor' in (await result('resources/list', { cursor: 'c' }))).toBe(false);
    expect((await result('resources/templates/list')).resourceTemplates).toHaveLength(1);
    expect((await result('resources/read', { uri: 'memory://1' })).contents).toMatchObject([{ text: 'one' }]);
    expect((await result('prompts/list')).prompts).toMatchObject([{ name: 'with_memory' }]);
    const question = { question: 'q' };
    expect((await result('prompts/get', { name: 'with_memory', arguments: question })).messages).toEqual([
      { role: 'user', content: { type: 'text', text: '{"question":"q"}' } },
    ]);
    const ref = { type: 'ref/prompt', name: 'with_memory' };
    const completed = await result('completion/complete', { ref, argument: { name: 'question', value: 'w' } });
    expect(completed).toEqual({ completion: { values: ['prompt:question:w'] } });
  });
});

describe('the stateless era', () => {
  const result = async (method: string, params = {}) => {
    const { body, headers } = stateless(method, params);
    const { status, json } = await send(body, headers);
    expect(status).toBe(200);
    return json.result;
  };

  // @covers MCP-STATELESS MCP-VERSIONS
  it('is discovered', async () => {
    expect(await result('server/discover')).toMatchObject({
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
      instructions: 'Do as the tests say.',
    });
  });

  // @covers MCP-STATELESS
  it.each([
    ['server/discover', {}, true],
    ['tools/list', {}, true],
    ['prompts/list', {}, true],
    ['resources/list', {}, true],
    ['resources/templates/list', {}, true],
    ['resources/read', { uri: 'memory://1' }, true],
    ['tools/call', { name: 'echo' }, false],
    ['tools/call', { name: 'forget' }, false],
    ['prompts/get', { name: 'with_memory', arguments: { question: 'q' } }, false],
  ])('gives %s with %j the members that its version requires', async (method, params, stored) => {
    const { resultType, ttlMs, cacheScope, _meta } = await result(method, params);
    expect(resultType).toBe('complete');
    expect(_meta['io.modelcontextprotocol/serverInfo']).toMatchObject({ name: 'counterfoil' });
    expect([Number.isInteger(ttlMs), cacheScope]).toEqual(stored ? [true, 'private'] : [false, undefined]);
  });

  // @covers MCP-STATELESS
  it('has neither a handshake nor a session', async () => {
    for (const method of ['initialize', 'ping']) {
      const { body, headers } = stateless(method);
      const { status, json, headers: given } = await send(body, headers);
      expect([status, json.error.code, 'mcp-session-id' in given]).toEqual([404, -32601, false]);
    }
    const notification = { jsonrpc: '2.0', method: 'notifications/cancelled' };
    expect((await send(notification, { 'mcp-protocol-version': '2026-07-28' })).status).toBe(202);
  });

  // @covers MCP-RUN
  it('names its run in _meta, or in the header that the API has for it', async () => {
    const { body, headers } = stateless('tools/call', { name: 'echo', _meta: { 'counterfoil/run': 'in meta' } });
    await send(body, { ...headers, 'x-service-run': 'in the header', 'mcp-session-id': 'ignored' });
    const plain = stateless('tools/call', { name: 'echo' });
    await send(plain.body, { ...plain.headers, 'x-service-run': 'in the header', 'mcp-session-id': 'ignored' });
    await send(plain.body, { ...plain.headers, 'mcp-session-id': 'ignored' });
    expect(runs()).toEqual(['in meta', 'in the header', null]);
    for (const run of ['x'.repeat(129), 5, '']) {
      const wrong = stateless('tools/call', { name: 'echo', _meta: { 'counterfoil/run': run } });
      const { json } = await send(wrong.body, wrong.headers);
      expect(json.error).toMatchObject({ code: -32602, data: { issues: [{ path: '_meta.counterfoil/run' }] } });
    }
  });

  it('is known by its _meta alone', async () => {
    const { status, json } = await send(request('tools/list', { _meta: meta }));
    expect([status, json.error.code]).toEqual([400, -32020]);
  });
});

describe('a workspace without the memory API', () => {
  const without = mounted({ memoryApi: false });

  // @covers MCP-FEATURE
  it('can connect, is offered nothing, and is refused by each call', async () => {
    const ask = async (method: string, params: object = {}) => (await without.send(request(method, params))).json;
    expect((await ask('initialize')).result.serverInfo.name).toBe('counterfoil');
    expect((await ask('tools/list')).result).toEqual({ tools: [] });
    expect((await ask('resources/list')).result).toEqual({ resources: [] });
    expect((await ask('prompts/list')).result).toEqual({ prompts: [] });
    for (const name of ['echo', 'forget']) {
      const { result } = await ask('tools/call', { name });
      expect(result).toMatchObject({ isError: true, _meta: { 'counterfoil/error': { code: 'feature_not_enabled' } } });
    }
    expect(called).toEqual([]);
  });
});
