import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';

/** Everything that was sent to a receiver. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what came, no matter its shape, and says what it must be
  readonly json: any;
}

export interface Receiver {
  readonly origin: string;
  readonly received: Received[];
  /** The status that it answers from now on; 204 unless said. */
  answer(listener: RequestListener): void;
  /** Waits until so much has come, in all. */
  until(count: number, path?: string): Promise<readonly Received[]>;
  close(): Promise<void>;
}

export const status =
  (code: number, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) =>
    response.writeHead(code, headers).end();

/** A server on this machine that takes deliveries. */
export async function openReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let listener = status(204);
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString('utf8');
    const { method = '', url: path = '', headers } = request;
    received.push({ method, path, headers, body, json: body.startsWith('{') ? JSON.parse(body) : null });
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const at = (path: string | undefined) => received.filter((one) => path === undefined || one.path === path);
  return {
    origin: `http://127.0.0.1:${port}`,
    received,
    answer(next) {
      listener = next;
    },
    async until(count, path) {
      for (let tries = 0; tries < 4800; tries += 1) {
        if (at(path).length >= count) return at(path);
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
      throw new Error(`only ${at(path).length} of ${count} deliveries came`);
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Long enough for something to come that must not. */
export const quiet = (ms = 1500) => new Promise((resolve) => setTimeout(resolve, ms));
