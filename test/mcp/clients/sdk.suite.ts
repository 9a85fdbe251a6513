import * as v2 from '@modelcontextprotocol/client';
import * as v2stdio from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it } from 'vitest';
import { main } from '../../faults/service-process.js';
import { everyTool } from './calls.js';
import { type Desk, everyAnswer, memories } from './desk.js';

const who = { name: 'test', version: '1' };
const requestInit = (desk: Desk) => ({ headers: { authorization: `Bearer ${desk.key}` } });
const program = (desk: Desk) => ({
  command: process.execPath,
  args: [main, 'mcp'],
  env: { COUNTERFOIL_URL: new URL(desk.url).origin, COUNTERFOIL_AGENT_KEY: desk.key },
});
const auto = { versionNegotiation: { mode: 'auto' as const } };

/** The ways in which the official SDKs for TypeScript reach the service: version, era, transport. */
const clients: Readonly<Record<string, (desk: Desk) => Promise<Client | v2.Client>>> = {
  'version 1': async (desk) => {
    const client = new Client(who);
    await client.connect(new StreamableHTTPClientTransport(new URL(desk.url), { requestInit: requestInit(desk) }));
    return client;
  },
  'version 1 with counterfoil mcp': async (desk) => {
    const client = new Client(who);
    await client.connect(new StdioClientTransport(program(desk)));
    return client;
  },
  'version 2 in a session': async (desk) => {
    const client = new v2.Client(who);
    await client.connect(new v2.StreamableHTTPClientTransport(new URL(desk.url), { requestInit: requestInit(desk) }));
    return client;
  },
  'version 2 without a session': async (desk) => {
    const client = new v2.Client(who, auto);
    await client.connect(new v2.StreamableHTTPClientTransport(new URL(desk.url), { requestInit: requestInit(desk) }));
    return client;
  },
  'version 2 without a session with counterfoil mcp': async (desk) => {
    const client = new v2.Client(who, auto);
    await client.connect(new v2stdio.StdioClientTransport(program(desk)));
    return client;
  },
};

/** The official SDKs for TypeScript. */
export const sdks = (desk: () => Desk) =>
  describe.each(Object.entries(clients))('%s', (name, connect) => {
    // @covers MCP-CLIENT-SDK
    it('lists and calls every tool, reads resources and gets the prompt', async () => {
      const client = await connect(desk());
      expect(client.getServerVersion()).toMatchObject({ name: 'counterfoil' });
      if ('getNegotiatedProtocolVersion' in client) {
        const version = name.includes('without a session') ? '2026-07-28' : '2025-11-25';
        expect(client.getNegotiatedProtocolVersion()).toBe(version);
      }
      const { tools } = await client.listTools();
      expect(tools.map((tool) => tool.name).sort()).toEqual(everyTool.map((call) => call.name).sort());
      let text = '';
      for (const [at, call] of everyTool.entries()) {
        const [id = ''] = /[0-9a-f]{8}-[0-9a-f-]{27}|(?<=id=\\?")[0-9a-f]{12}/.exec(text) ?? [];
        const args = JSON.parse(JSON.stringify(call.arguments).replace('$ID', id));
        const result = await client.callTool({ name: call.name, arguments: args });
        expect(result).toMatchObject({ structuredContent: expect.any(Object) });
        expect(result.isError).toBeFalsy();
        text = JSON.stringify(result.content);
        expect(text).toMatch(everyAnswer[at] ?? /never/);
      }
      const { resources } = await client.listResources();
      expect(resources.map(({ uri }) => uri)).toEqual(
        expect.arrayContaining(desk().memoryIds.map((id) => `memory://${id}`)),
      );
      const read = await client.readResource({ uri: `memory://${desk().memoryIds[0]}` });
      expect(JSON.stringify(read.contents)).toContain(memories[0]);
      const { resourceTemplates } = await client.listResourceTemplates();
      expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain('memory://{id}');
      const prompt = await client.getPrompt({ name: 'with_memory', arguments: { question: 'Where does Ada live?' } });
      expect(JSON.stringify(prompt.messages)).toContain(memories[0]);
      await client.close();
    });
  });
