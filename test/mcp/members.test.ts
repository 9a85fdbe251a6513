// @projects slow
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signedIn } from '../http/person.js';
import { type Service, startService } from '../http/service.js';

/** The members that each version of the protocol has, as its schema lists them. A client may refuse any other one. */
const all = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const;
type Version = (typeof all)[number];
const since = (version: Version, members: Readonly<Record<string, Version>>, ...always: readonly string[]) => [
  ...always,
  ...Object.entries(members).flatMap(([name, first]) => (first <= version ? [name] : [])),
];
const named = { title: '2025-06-18', _meta: '2025-06-18', icons: '2025-11-25' } as const;
const allowed = (version: Version): Readonly<Record<string, readonly string[]>> => ({
  initialize: ['protocolVersion', 'capabilities', 'serverInfo', 'instructions', '_meta'],
  serverInfo: since(version, { title: '2025-06-18', websiteUrl: '2025-11-25', icons: '2025-11-25' }, 'name', 'version'),
  capabilities: since(
    version,
    { completions: '2025-03-26' },
    'tools',
    'resources',
    'prompts',
    'logging',
    'experimental',
  ),
  tools: since(
    version,
    { ...named, annotations: '2025-03-26', outputSchema: '2025-06-18' },
    'name',
    'description',
    'inputSchema',
  ),
  call: since(version, { structuredContent: '2025-06-18' }, 'content', 'isError', '_meta'),
  content: since(version, { _meta: '2025-06-18' }, 'type', 'text', 'annotations'),
  resources: since(version, { ...named, size: '2025-03-26' }, 'uri', 'name', 'description', 'mimeType', 'annotations'),
  resourceTemplates: since(version, named, 'uriTemplate', 'name', 'description', 'mimeType', 'annotations'),
  contents: since(version, { _meta: '2025-06-18' }, 'uri', 'mimeType', 'text', 'blob'),
  prompts: since(version, named, 'name', 'description', 'arguments'),
  arguments: since(version, { title: '2025-06-18' }, 'name', 'description', 'required'),
  messages: ['role', 'content'],
});

let service: Service;
let key = '';
const owner = { email: 'owner@example.org', password: 'a password of the owner' };
beforeAll(async () => {
  service = await startService({ OWNER_EMAIL: owner.email, OWNER_PASSWORD: owner.password });
  const person = await signedIn(service, owner);
  const linked = await person.call('POST', '/v1/agents', { agent_id: `agn_${'a'.repeat(32)}` });
  key = (await person.call('POST', `/v1/agents/${linked.json.id}/keys`, { name: 'desk' })).json.key;
  await service.call('POST', '/v1/memories', { content: 'The ferry leaves at nine.' });
  await service.settled();
});
afterAll(() => service.stop());

/** Every member of an object that the version does not have. Members of objects that are not listed are open. */
function strange(version: Version, kind: string, value: unknown, path = kind): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => strange(version, kind, item, path));
  if (typeof value !== 'object' || value === null) return [];
  const known = allowed(version);
  const wrong = known[kind] ? Object.keys(value).filter((name) => !known[kind]?.includes(name)) : [];
  const inside = Object.entries(value).flatMap(([name, member]) =>
    known[name] && kind !== 'inputSchema' ? strange(version, name, member, `${path}.${name}`) : [],
  );
  return [...wrong.map((name) => `${path}.${name}`), ...inside];
}

// @covers MCP-VERSIONS MCP-INFO
it.each(all)('every answer of version %s has only members of that version', async (version) => {
  let session: string | null = null;
  const call = async (method: string, params: object = {}) => {
    const isHeader = version >= '2025-06-18' && method !== 'initialize';
    const reply = await fetch(new URL('/mcp', service.app.server.listeningOrigin), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        ...(isHeader && { 'mcp-protocol-version': version }),
        ...(session !== null && { 'mcp-session-id': session }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    session = reply.headers.get('mcp-session-id') ?? session;
    const { result } = JSON.parse(await reply.text());
    expect(result).toBeDefined();
    return result;
  };
  const found = await call('initialize', { protocolVersion: version });
  expect(found.protocolVersion).toBe(version);
  expect('icons' in found.serverInfo).toBe(version === '2025-11-25');
  const resources = await call('resources/list');
  expect(resources.resources).toHaveLength(1);
  const answers: [string, object][] = [
    ['initialize', found],
    ['list', await call('tools/list')],
    ['list', resources],
    ['list', await call('resources/templates/list')],
    ['list', await call('resources/read', { uri: resources.resources[0].uri })],
    ['list', await call('prompts/list')],
    ['list', await call('prompts/get', { name: 'with_memory', arguments: { question: 'When does the ferry leave?' } })],
    ['call', await call('tools/call', { name: 'recall', arguments: { query: 'ferry' } })],
    ['call', await call('tools/call', { name: 'get_context', arguments: { query: 'ferry' } })],
    ['call', await call('tools/call', { name: 'list_subscriptions' })],
    ['call', await call('tools/call', { name: 'no_such_tool' })],
  ];
  expect(answers.flatMap(([kind, value]) => strange(version, kind, value))).toEqual([]);
  const { content } = await call('tools/call', { name: 'recall', arguments: { query: 'ferry' } });
  expect(content[0].text).toContain('The ferry leaves at nine.');
});
