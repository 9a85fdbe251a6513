import { randomUUID } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { Refusal } from '../../contracts/errors.js';
import { packageVersion } from '../base/version.js';
import { answerBrowser } from '../http/starting.js';

/**
 * Listens on the port while the store is being opened, and answers that the service is not ready. So a port that is in
 * use ends the start before anything is created, and during a replay after an update the service appears as starting
 * and not as unreachable.
 * @throws the operating system's error when the process cannot listen there
 */
export async function holdPort(host: string, port: number): Promise<{ release(): Promise<void> }> {
  const version = packageVersion();
  const server = createServer((request, response) => {
    const path = request.url?.split('?')[0];
    if (path === '/healthz') return answer(response, 200, { status: 'up', version });
    if (path === '/readyz') {
      return answer(response, 503, { status: 'not_ready', version, missing: ['the store is being opened'] });
    }
    const refuse = () => {
      const refusal = new Refusal('not_ready');
      answer(response, refusal.status, refusal.body(randomUUID()));
    };
    // Without the build there are no pages, and a form may be too long or end early.
    answerBrowser(request, response).then((isAnswered) => isAnswered || refuse(), refuse);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, resolve);
  });
  return {
    release: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answer(response: ServerResponse, status: number, body: object): void {
  const headers = { 'content-type': 'application/json; charset=utf-8', connection: 'close' };
  response.writeHead(status, status === 503 ? { ...headers, 'retry-after': '1' } : headers).end(JSON.stringify(body));
}
