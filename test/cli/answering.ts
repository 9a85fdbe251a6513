import { createServer, type IncomingHttpHeaders } from 'node:http';
import { bodyOf, listen } from '../anchoring/http.js';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Given {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  /** The answer waits for it. */
  readonly after?: Promise<void>;
}

/** A server whose answers a test chooses. */
export interface Answering {
  readonly url: string;
  /** The requests since the last `forget`. */
  readonly received: readonly Received[];
  forget(): void;
  respondWith(answer: (request: Received) => Given): void;
  close(): Promise<void>;
}

export async function startAnswering(): Promise<Answering> {
  let respond = (_: Received): Given => ({});
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const body = Buffer.from(await bodyOf(request)).toString('utf8');
    const one = { path: `${request.method} ${request.url}`, headers: request.headers, body };
    received.push(one);
    const { status = 200, headers = {}, body: text = '', after } = respond(one);
    await after;
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
  });
  const { url, close } = await listen(server);
  return {
    url,
    received,
    close,
    forget: () => void received.splice(0),
    respondWith(answer) {
      respond = answer;
    },
  };
}
