import { StreamableHTTPClientTransport as NewTransport, Client as SessionClient } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signedIn } from '../../http/person.js';
import { type Service, startService } from '../../http/service.js';
import { stateless } from '../../mcp/forms.js';
import { stores } from '../../support/stores.js';

/** The whole service over MCP: unmodified clients, and what it records, measures and refuses beyond the transport itself. */
describe.each(stores)('the service over MCP on %s', () => {
  let service: Service;
  let key = '';
  let url: URL;
  const owner = { email: 'owner@example.org', password: 'a password of the owner' };
  beforeAll(async () => {
    service = await startService({ OWNER_EMAIL: owner.email, OWNER_PASSWORD: owner.password, RATE_LIMITS: 'on' });
    url = new URL('/mcp', service.app.server.listeningOrigin);
    const person = await signedIn(service, owner);
    const linked = await person.call('POST', '/v1/agents', { agent_id: `agn_${'a'.repeat(32)}` });
    key = (await person.call('POST', `/v1/agents/${linked.json.id}/keys`, { name: 'desk' })).json.key;
  });
  afterAll(() => service.stop());

  const send = async (body: string, headers: Record<string, string> = {}) => {
    const reply = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body,
    });
    return { status: reply.status, headers: reply.headers, json: JSON.parse(await reply.text()) };
  };
  const call = (name: string, args: object, headers = {}) =>
    send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }), headers);
  const actorOf = async (receiptId: string) => (await service.call('GET', `/v1/receipts/${receiptId}`)).json.actor;

  // @covers MCP-VERSIONS
  it('serves the client of the first SDK', async () => {
    const client = new Client({ name: 'test', version: '1' });
    const requestInit = { headers: { authorization: `Bearer ${key}` } };
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
    expect(client.getServerVersion()).toMatchObject({ name: 'counterfoil', title: 'Counterfoil' });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('recall');
    expect(await client.callTool({ name: 'list_subscriptions' })).toMatchObject({ structuredContent: { data: [] } });
    expect(await client.callTool({ name: 'no_such_tool' })).toMatchObject({ isError: true });
    await client.ping();
    await client.close();
  });

  // @covers MCP-VERSIONS MCP-STATELESS
  it.each(['legacy', 'auto'] as const)('serves the client of the second SDK: %s', async (mode) => {
    const client = new SessionClient({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
    const requestInit = { headers: { authorization: `Bearer ${key}` } };
    await client.connect(new NewTransport(url, { requestInit }));
    expect(client.getNegotiatedProtocolVersion()).toBe(mode === 'auto' ? '2026-07-28' : '2025-11-25');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('recall');
    expect(await client.callTool({ name: 'list_subscriptions' })).toMatchObject({ structuredContent: { data: [] } });
    expect(await client.callTool({ name: 'no_such_tool' })).toMatchObject({ isError: true });
    expect((await client.listPrompts()).prompts.length).toBeGreaterThan(0);
    expect((await client.listResourceTemplates()).resourceTemplates.length).toBeGreaterThan(0);
    expect((await client.listResources()).resources).toEqual([]);
    await client.close();
  });

  // @covers MCP-RUN
  it('records the session as the run, and the transport', async () => {
    const { json } = await call('recall', { query: 'boats' }, { 'mcp-session-id': 'a session' });
    const receipt = await actorOf(json.result.structuredContent.receipt_id);
    expect(receipt).toMatchObject({ type: 'agent_key', run_id: 'a session', via: 'mcp' });
    const { body, headers } = stateless('tools/call', {
      name: 'recall',
      arguments: { query: 'boats' },
      _meta: { 'counterfoil/run': 'a run' },
    });
    const answer = await send(JSON.stringify(body), headers);
    expect(await actorOf(answer.json.result.structuredContent.receipt_id)).toMatchObject({ run_id: 'a run' });
  });

  // @covers MCP-LARGE
  it('reads a large message in a thread, with the same care', async () => {
    const large = (more: string) =>
      `{"jsonrpc":"2.0","id":1.0,"method":"ping","params":{"padding":"${'\\u0061'.repeat(200_000)}"${more}}}`;
    const reply = await send(large(''));
    expect([reply.status, reply.json]).toEqual([200, { jsonrpc: '2.0', id: 1, result: {} }]);
    const refused = await send(large(',"padding":0'));
    expect([refused.status, refused.json.error.code]).toEqual([400, -32700]);
    expect((await send(`[${large('')},${large('')}]`)).json).toHaveLength(2);
  });

  // @covers MCP-RATE
  it('counts each message of a batch, and those of the workspace too', async () => {
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const twenty = JSON.stringify(Array.from({ length: 20 }, () => ping));
    const statuses = [];
    for (let sent = 0; sent < 6; sent += 1) statuses.push((await send(twenty)).status);
    expect(statuses[0]).toBe(200);
    expect(statuses.at(-1)).toBe(429);
    const { status, headers, json } = await send(JSON.stringify(ping));
    expect([status, json.error.code, Number(headers.get('retry-after')) > 0]).toEqual([429, -32000, true]);
  });

  it('is measured like every other route', async () => {
    const text = await (await fetch(new URL('/metrics', url))).text();
    expect(text).toMatch(/counterfoil_http_request_seconds_count\{method="POST",route="\/mcp",status="200"\} \d+/);
  });
});
