import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

export interface Asked {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** An answer of JSON-RPC, or one of HTTP in its place. */
export type Answer =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } }
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> };

/** Answers instead of the node. `ask` asks the node, about something else too. */
export type Behaviour = (asked: Asked, ask: (other?: Asked) => Promise<Answer>) => Promise<Answer>;

/** A node in front of another one, which behaves as a test wants. */
export interface NodeProxy {
  readonly url: string;
  /** Null allows every answer to pass as it is. */
  behave(behaviour: Behaviour | null): void;
  /** How many questions it was asked, and how many of them it did not answer as the node did. */
  counts(): { readonly asked: number; readonly changed: number };
  close(): Promise<void>;
}

const request = z.object({ id: z.number(), method: z.string(), params: z.array(z.unknown()) });
const nodeAnswer = z.union([
  z.object({ error: z.object({ code: z.number(), message: z.string() }) }),
  z.object({ result: z.unknown() }),
]);

export async function startProxy(nodeUrl: string): Promise<NodeProxy> {
  let behaviour: Behaviour | null = null;
  let [asked, changed] = [0, 0];

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const { id, method, params } = request.parse(JSON.parse(Buffer.concat(chunks).toString('utf8')));
    const ask = (other: Asked = { method, params }) => askNode(nodeUrl, other);
    asked += 1;
    const given = behaviour === null ? await ask() : await behaviour({ method, params }, ask);
    if ('status' in given) {
      changed += 1;
      response.writeHead(given.status, given.headers).end('not now');
      return;
    }
    if (behaviour !== null && JSON.stringify(given) !== JSON.stringify(await ask())) changed += 1;
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...given }));
  }

  const server = createServer((incoming, response) => {
    answer(incoming, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    behave: (next) => {
      behaviour = next;
    },
    counts: () => ({ asked, changed }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function askNode(url: string, { method, params }: Asked): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return nodeAnswer.parse(await response.json());
}
