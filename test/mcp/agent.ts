import type { usePeople } from '../http/people.js';

/** Everything that a tool has answered: a result, or an error of JSON-RPC. */
export interface Answered {
  readonly status: number;
  readonly text: string;
  readonly isError: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what came, no matter its shape, and says what it must be
  readonly structured: any;
  /** The code of the API, of a refusal of the whole call. */
  readonly code: string | null;
  readonly details: unknown;
  // biome-ignore lint/suspicious/noExplicitAny: the same
  readonly error: any;
}

let linked = 0;
const letters = 'abcdefghijklmnopqrstuvwxyz';

/** Calls a tool at /mcp as a client of the session era does. */
export async function callTool(
  origin: string,
  key: string,
  name: string,
  args: object | string,
  meta: object = {},
): Promise<Answered> {
  const text = typeof args === 'string' ? args : JSON.stringify(args);
  const response = await fetch(`${origin}/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${text},"_meta":${JSON.stringify(meta)}}}`,
  });
  // biome-ignore lint/suspicious/noExplicitAny: the same
  const { result, error }: any = await response.json();
  return {
    status: response.status,
    text: result?.content?.[0]?.text ?? '',
    isError: result?.isError ?? false,
    structured: result?.structuredContent ?? null,
    code: result?._meta?.['counterfoil/error']?.code ?? error?.data?.code ?? null,
    details: result?._meta?.['counterfoil/error']?.details ?? error?.data?.details ?? {},
    error: error ?? null,
  };
}

/** Links another agent to the workspace of the tests and gives it a key. @param body of the request for the key */
export async function newAgent(people: ReturnType<typeof usePeople>, body: object = {}) {
  const agentId = `agn_${(letters[linked % 26] ?? 'a').repeat(32)}`;
  linked += 1;
  const owner = people.as('owner');
  const { json: link } = await owner.call('POST', '/v1/agents', { agent_id: agentId });
  const { json } = await owner.call('POST', `/v1/agents/${link.id}/keys`, { name: 'desk', ...body });
  const { key, key_id: keyId } = json;
  return {
    agentId,
    keyId: String(keyId),
    linkId: String(link.id),
    key: String(key),
    tool: (name: string, args: object | string, meta?: object): Promise<Answered> =>
      callTool(people.service().app.server.listeningOrigin, key, name, args, meta),
    record: (actions: readonly object[], more: object = {}, meta?: object): Promise<Answered> =>
      callTool(people.service().app.server.listeningOrigin, key, 'record_action_batch', { actions, ...more }, meta),
  };
}
