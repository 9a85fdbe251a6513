import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signedIn } from '../../http/person.js';
import { type Service, startService } from '../../http/service.js';
import { answersOf, type Version, versions } from '../../mcp/answer-schemas.js';
import { allCalls, wrongCalls } from '../../mcp/clients/calls.js';
import { stateless } from '../../mcp/forms.js';

const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });
addFormats.default(ajv);

let service: Service;
let key = '';
const owner = { email: 'owner@example.org', password: 'a password of the owner' };
beforeAll(async () => {
  service = await startService({ OWNER_EMAIL: owner.email, OWNER_PASSWORD: owner.password, MCP_SEARCH_FETCH: 'on' });
  const person = await signedIn(service, owner);
  const linked = await person.call('POST', '/v1/agents', { agent_id: `agn_${'a'.repeat(32)}` });
  key = (await person.call('POST', `/v1/agents/${linked.json.id}/keys`, { name: 'desk' })).json.key;
  await service.call('POST', '/v1/memories', { content: 'Ada moved to Lisbon in March.' });
  await service.settled();
});
afterAll(() => service.stop());

type Ask = (method: string, params?: Record<string, unknown>) => Promise<Answer>;
// biome-ignore lint/suspicious/noExplicitAny: a test reads what came, and the schemas say what it must be
type Answer = any;

/** A client of a version, which names its version as clients of that version do, and holds each answer against the schemas. */
async function clientOf(version: Version): Promise<{ ask: Ask; post: (body: unknown) => Promise<Answer> }> {
  const schemas = answersOf(version);
  let session: string | null = null;
  const fetched = async (body: unknown, headers: Record<string, string>) => {
    const reply = await fetch(new URL('/mcp', service.app.server.listeningOrigin), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        ...headers,
        ...(session !== null && { 'mcp-session-id': session }),
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    session = reply.headers.get('mcp-session-id') ?? session;
    return JSON.parse(await reply.text());
  };
  const named = version >= '2025-06-18' ? { 'mcp-protocol-version': version } : {};
  const checked = (answer: Answer, method: string) => {
    const is = ajv.compile(schemas['error' in answer ? 'error' : method] ?? false);
    expect([is(answer), is.errors, method]).toEqual([true, null, method]);
    return answer;
  };
  const ask: Ask = async (method, params = {}) => {
    const { body, headers } =
      version === '2026-07-28'
        ? stateless(method, params)
        : {
            body: { jsonrpc: '2.0', id: 1, method, params },
            headers: method === 'initialize' ? {} : named,
          };
    return checked(await fetched(body, headers), method);
  };
  const post = async (body: unknown) => checked(await fetched(body, named), 'error');
  if (version !== '2026-07-28') await ask('initialize', { protocolVersion: version, capabilities: {} });
  return { ask, post };
}

describe.each(versions)('every answer of version %s has only members of that version', (version) => {
  let client: Awaited<ReturnType<typeof clientOf>>;
  let ask: Ask;
  beforeAll(async () => {
    client = await clientOf(version);
    ask = client.ask;
  });

  // @covers MCP-VERSIONS MCP-INFO
  it('of what the service is and offers', async () => {
    const begun =
      version === '2026-07-28' ? await ask('server/discover') : await ask('initialize', { protocolVersion: version });
    const server = begun.result.serverInfo ?? begun.result._meta['io.modelcontextprotocol/serverInfo'];
    expect('icons' in server).toBe(version >= '2025-11-25');
    expect('error' in (await ask('ping'))).toBe(version === '2026-07-28');
    for (const list of ['tools/list', 'resources/templates/list', 'prompts/list']) {
      expect(await ask(list)).toHaveProperty('result');
      expect(await ask(list, { cursor: 'x' })).toHaveProperty('error');
    }
    const { resources } = (await ask('resources/list')).result;
    expect(await ask('resources/read', { uri: resources[0].uri })).toHaveProperty('result');
    expect(await ask('resources/read', { uri: 'memory://none' })).toHaveProperty('error');
    const question = { question: 'Where does Ada live?' };
    expect(await ask('prompts/get', { name: 'with_memory', arguments: question })).toHaveProperty('result');
    expect(await ask('prompts/get', { name: 'none' })).toHaveProperty('error');
    const ref = { type: 'ref/resource', uri: 'memory://{id}' };
    const argument = { name: 'id', value: '' };
    expect(await ask('completion/complete', { ref, argument })).toHaveProperty('result');
    expect(await ask('completion/complete', { ref })).toHaveProperty('error');
    expect(await ask('no/method')).toHaveProperty('error');
  });

  // @covers MCP-VERSIONS
  it('of each tool, called as its schema says and refused', async () => {
    const { tools } = (await ask('tools/list')).result;
    expect(allCalls.map(({ name }) => name)).toEqual(tools.map(({ name }: { name: string }) => name));
    let text = '';
    for (const [at, { name, inputSchema, outputSchema }] of tools.entries()) {
      const [id = ''] = /[0-9a-f]{8}-[0-9a-f-]{27}|(?<=id=")[0-9a-f]{12}/.exec(text) ?? [];
      const args = JSON.parse(JSON.stringify(allCalls[at]?.arguments).replace('$ID', id));
      const takes = ajv.compile(inputSchema);
      expect([name, takes(args), takes.errors]).toEqual([name, true, null]);
      const { result } = await ask('tools/call', { name, arguments: args });
      expect([name, result?.isError ?? false]).toEqual([name, false]);
      if (outputSchema !== undefined)
        expect([name, ajv.validate(outputSchema, result.structuredContent)]).toEqual([name, true]);
      text = result.content[0].text;
    }
    for (const { name, arguments: args } of wrongCalls) {
      const answer = await ask('tools/call', { name, arguments: args });
      expect([name, 'error' in answer || answer.result.isError]).toEqual([name, true]);
    }
  });

  // @covers MCP-VERSIONS MCP-ERRORS
  it('to what is no request', async () => {
    const message = { jsonrpc: '2.0', id: null, method: 'ping' };
    for (const body of ['{', '', '5', '[]', message, [message], { jsonrpc: '2.0', id: 1 }])
      expect(await client.post(body)).toHaveProperty('error');
  });
});

// @covers MCP-BATCHES MCP-VERSIONS
it.each(['2024-11-05', '2025-03-26'] as const)('a batch that begins with %s has answers of it', async (version) => {
  const schemas = answersOf(version);
  const methods = ['initialize', 'tools/list', 'prompts/list', 'ping'];
  const params = { protocolVersion: version };
  const reply = await fetch(new URL('/mcp', service.app.server.listeningOrigin), {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(methods.map((method, id) => ({ jsonrpc: '2.0', id, method, params }))),
  });
  const answers: Answer[] = JSON.parse(await reply.text());
  for (const [at, method] of methods.entries()) {
    const is = ajv.compile(schemas[method] ?? false);
    expect([is(answers[at]), is.errors, method]).toEqual([true, null, method]);
  }
});
