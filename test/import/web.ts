import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';

export interface Site {
  readonly origin: string;
  /** The paths that were requested, in their order. */
  readonly asked: string[];
  readonly seen: IncomingMessage[];
  close(): Promise<void>;
}

/** A web server on this machine with a page for each path. */
export async function openSite(pages: Readonly<Record<string, RequestListener>>): Promise<Site> {
  const asked: string[] = [];
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    seen.push(request);
    const page = pages[path];
    if (page) page(request, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    origin: `http://127.0.0.1:${port}`,
    asked,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

export function page(type: string, body: string | Uint8Array, headers: Record<string, string> = {}): RequestListener {
  return (_request, response) => response.writeHead(200, { 'content-type': type, ...headers }).end(body);
}

export function redirect(to: string, status = 302): RequestListener {
  return (_request, response) => response.writeHead(status, { location: to }).end('moved');
}

/** A byte now and then, for as long as someone listens. */
export function drip(head: (response: ServerResponse) => void): RequestListener {
  return (_request, response) => {
    head(response);
    const timer = setInterval(() => response.write('x'), 50);
    response.on('close', () => clearInterval(timer));
  };
}
