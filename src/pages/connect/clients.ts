/** A client of the memory, with what a person pastes into it. The guide for MCP clients has the same texts (docs/guides/mcp.md). */
export interface Client {
  readonly id: string;
  readonly name: string;
  /** For a person who signs in with a browser; absent for a client that only takes a key. */
  readonly signsIn?: (base: string) => Paste;
  /** For an agent with a key, which the client reads from the variable COUNTERFOIL_AGENT_KEY where it can. */
  readonly withKey?: (base: string) => Paste;
}

export interface Paste {
  /** Where the text goes, as a sentence. */
  readonly where: string;
  readonly text: string;
}

const json = (value: unknown): string => JSON.stringify(value, null, 2);
const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });

/** The official SDK, which this file itself does not use. */
const sdk = '@modelcontextprotocol/sdk';

export const clients: readonly Client[] = [
  {
    id: 'claude-code',
    name: 'Claude Code',
    signsIn: (base) => ({
      where: 'Run this in a shell. The second command signs in with a browser.',
      text: `claude mcp add --transport http counterfoil ${base}/mcp\nclaude mcp login counterfoil`,
    }),
    withKey: (base) => ({
      where: 'Run this in a shell that has the key.',
      text: `claude mcp add --transport http counterfoil ${base}/mcp --header "Authorization: Bearer $COUNTERFOIL_AGENT_KEY"`,
    }),
  },
  {
    id: 'codex',
    name: 'Codex',
    signsIn: (base) => ({
      where: 'Run this in a shell. It signs in with a browser.',
      text: `codex mcp add counterfoil --url ${base}/mcp`,
    }),
    withKey: (base) => ({
      where: 'Run this in a shell. Codex reads the variable each time it starts.',
      text: `codex mcp add counterfoil --url ${base}/mcp --bearer-token-env-var COUNTERFOIL_AGENT_KEY`,
    }),
  },
  {
    id: 'claude',
    name: 'Claude and ChatGPT',
    signsIn: (base) => ({
      where:
        'In Claude: Settings, Connectors, Add custom connector. In ChatGPT: switch on the developer mode, then Create. Paste the address, which must be public and https.',
      text: `${base}/mcp`,
    }),
  },
  {
    id: 'vs-code',
    name: 'VS Code',
    signsIn: (base) => ({
      where: 'Put this into .vscode/mcp.json. VS Code signs in with a browser.',
      text: json({ servers: { counterfoil: { type: 'http', url: `${base}/mcp` } } }),
    }),
    withKey: (base) => ({
      where: 'Put this into .vscode/mcp.json. VS Code asks for the key once.',
      text: json({
        inputs: [{ type: 'promptString', id: 'agent-key', description: 'Agent key', password: true }],
        servers: { counterfoil: { type: 'http', url: `${base}/mcp`, headers: bearer(variable('input:agent-key')) } },
      }),
    }),
  },
  {
    id: 'cursor',
    name: 'Cursor',
    signsIn: (base) => ({
      where: 'Put this into ~/.cursor/mcp.json. Cursor signs in with a browser.',
      text: json({ mcpServers: { counterfoil: { url: `${base}/mcp` } } }),
    }),
    withKey: (base) => ({
      where: 'Put this into ~/.cursor/mcp.json.',
      text: json({
        mcpServers: {
          counterfoil: { url: `${base}/mcp`, headers: bearer(variable('env:COUNTERFOIL_AGENT_KEY')) },
        },
      }),
    }),
  },
  {
    id: 'gemini-cli',
    name: 'Gemini CLI',
    withKey: (base) => ({
      where: 'Run this in a shell that has the key, then trust the folder in which you work.',
      text: `gemini mcp add --scope user --transport http --header "Authorization: Bearer $COUNTERFOIL_AGENT_KEY" counterfoil ${base}/mcp`,
    }),
  },
  {
    id: 'opencode',
    name: 'opencode',
    withKey: (base) => ({
      where: 'Put this into opencode.json.',
      text: json({
        mcp: {
          counterfoil: {
            type: 'remote',
            url: `${base}/mcp`,
            oauth: false,
            headers: bearer('{env:COUNTERFOIL_AGENT_KEY}'),
          },
        },
      }),
    }),
  },
  {
    id: 'windsurf',
    name: 'Windsurf',
    withKey: (base) => ({
      where: 'Put this into mcp_config.json, which the settings of Cascade open.',
      text: json({
        mcpServers: {
          counterfoil: { serverUrl: `${base}/mcp`, headers: bearer(variable('env:COUNTERFOIL_AGENT_KEY')) },
        },
      }),
    }),
  },
  {
    id: 'curl',
    name: 'curl',
    withKey: (base) => ({
      where: 'Run this in a shell that has the key.',
      text: `curl ${base}/mcp -H "Authorization: Bearer $COUNTERFOIL_AGENT_KEY" -H 'content-type: application/json' \\
  -d '{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "recall", "arguments": {"query": "What do you know?"}}}'`,
    }),
  },
  {
    id: 'typescript',
    name: 'TypeScript',
    withKey: (base) => ({
      where: 'With the package @modelcontextprotocol/sdk.',
      text: `import { Client } from "${sdk}/client/index.js";
import { StreamableHTTPClientTransport } from "${sdk}/client/streamableHttp.js";

const headers = { Authorization: \`Bearer \${process.env.COUNTERFOIL_AGENT_KEY}\` };
const client = new Client({ name: 'example', version: '1' });
await client.connect(new StreamableHTTPClientTransport(new URL('${base}/mcp'), { requestInit: { headers } }));
const answer = await client.callTool({ name: 'recall', arguments: { query: 'What do you know?' } });
console.log(answer.content);
await client.close();`,
    }),
  },
  {
    id: 'python',
    name: 'Python',
    withKey: (base) => ({
      where: 'With the package mcp.',
      text: `import asyncio, os
import httpx
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client

async def main():
    headers = {"Authorization": f"Bearer {os.environ['COUNTERFOIL_AGENT_KEY']}"}
    async with httpx.AsyncClient(headers=headers) as http:
        async with streamable_http_client("${base}/mcp", http_client=http) as (read, write, _):
            async with ClientSession(read, write) as session:
                await session.initialize()
                print(await session.call_tool("recall", {"query": "What do you know?"}))

asyncio.run(main())`,
    }),
  },
];

/** A variable as editors write it, which is no variable of a template here. */
function variable(name: string): string {
  return `\${${name}}`;
}
