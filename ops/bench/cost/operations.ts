import { z } from 'zod';

/** Sends one request, and throws where it is refused. */
export type Send = (
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: object,
  headers?: Readonly<Record<string, string>>,
) => Promise<unknown>;

/** Something that a caller does, and whose cost is measured. */
export interface Operation {
  readonly name: string;
  /** Makes what these runs need, which is not measured. @returns one of the runs; its number is below `count` */
  prepare(count: number): Promise<(at: number) => Promise<unknown>>;
}

const written = z.object({ memory_id: z.string(), receipt_id: z.string() });
let texts = 0;

/** A text that nothing else has. */
function text(): { readonly content: string } {
  texts += 1;
  return { content: `note ${texts}: the heron waits in the shallows near pier ${texts % 17} until the tide turns` };
}

const queries = ['where does the heron wait', 'when does the tide turn', 'which pier is near the shallows'];

/**
 * Twelve operations of a service with memories that can be found.
 * @param agentKey the key of an agent, for MCP
 */
export async function operationsOf(send: Send, agentKey: string): Promise<readonly Operation[]> {
  const write = async () => written.parse(await send('POST', '/v1/memories', text()));
  const first = await write();
  const headers = {
    authorization: `Bearer ${agentKey}`,
    'content-type': 'application/json',
    'mcp-protocol-version': '2025-11-25',
  };
  const overMcp = async (method: string, params: object) => {
    const answer = await send('POST', '/mcp', { jsonrpc: '2.0', id: 1, method, params }, headers);
    if (!answered.safeParse(answer).success) throw new Error(`${method} was answered with ${JSON.stringify(answer)}`);
  };
  const tool = (name: string, given: object) => overMcp('tools/call', { name, arguments: given });
  const query = (at: number) => ({ query: queries[at % queries.length], k: 8 });
  const each = (name: string, run: (at: number) => Promise<unknown>): Operation => ({ name, prepare: async () => run });
  return [
    each('write a memory', write),
    each('search', (at) => send('POST', '/v1/memories/search', query(at))),
    each('read a memory', () => send('GET', `/v1/memories/${first.memory_id}`)),
    each('list memories', () => send('GET', '/v1/memories?limit=25')),
    {
      name: 'delete a memory',
      async prepare(count) {
        const made: string[] = [];
        for (let n = 0; n < count; n += 1) made.push((await write()).memory_id);
        return (at) => send('DELETE', `/v1/memories/${made[at]}`);
      },
    },
    each('read a receipt', () => send('GET', `/v1/receipts/${first.receipt_id}`)),
    each('list receipts', () => send('GET', '/v1/receipts?limit=25')),
    each('read a proof', () => send('GET', `/v1/receipts/${first.receipt_id}/proof`)),
    each('submit a task receipt', () => send('POST', '/v1/receipts', taskReceipt())),
    each('recall over MCP', (at) => tool('recall', query(at))),
    each('remember over MCP', () => tool('remember', { text: text().content })),
    each('list tools over MCP', () => overMcp('tools/list', {})),
  ];
}

function taskReceipt(): object {
  texts += 1;
  return {
    receipt_id: `run ${texts}`,
    agent_handle: '@archive',
    platform: 'sdk',
    started_at: '2026-01-15T11:59:00Z',
    ended_at: '2026-01-15T11:59:30Z',
    status: 'success',
  };
}

const answered = z.object({ result: z.object({ isError: z.literal(false).optional() }) });
const linked = z.object({ id: z.string() });
const keyMade = z.object({ key: z.string() });

/** Links an agent and makes a key for it, with the cookie of an owner. */
export async function agentKeyOf(send: Send, cookie: string): Promise<string> {
  const { id } = linked.parse(await send('POST', '/v1/agents', { agent_id: `agn_${'b'.repeat(32)}` }, { cookie }));
  return keyMade.parse(await send('POST', `/v1/agents/${id}/keys`, { name: 'bench' }, { cookie })).key;
}
