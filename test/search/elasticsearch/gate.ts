import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/** The way in which a request is answered instead of as the cluster does. */
export interface Fault {
  /** Answered without asking the cluster. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** How long the answer is held back. */
  readonly delayMs?: number;
  /** The answer is held back until this resolves. */
  readonly heldUntil?: Promise<unknown>;
  /** The places of changes in a bulk request that the cluster does not get, and that are answered with 429. */
  readonly rejects?: (at: number) => boolean;
}

/** A server before a cluster, as an overloaded proxy or network is. */
export async function gateTo(target: string) {
  let faultOf: (path: string, sent: string) => Fault | undefined = () => undefined;
  const counts = { faults: 0 };
  const server = createServer((incoming, outgoing) => {
    outgoing.on('error', () => undefined);
    answer(incoming, outgoing).catch(() => outgoing.destroy());
  });

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const path = incoming.url ?? '';
    const sent = await bodyOf(incoming);
    const fault = faultOf(path, String(sent));
    if (fault) counts.faults += 1;
    if (fault?.delayMs !== undefined) await pause(fault.delayMs);
    await fault?.heldUntil;
    if (outgoing.destroyed) return;
    if (fault?.status !== undefined) {
      outgoing.writeHead(fault.status, { 'x-elastic-product': 'Elasticsearch', ...fault.headers }).end();
    } else if (fault?.rejects) await rejecting(incoming, outgoing, sent, fault.rejects);
    else {
      const answered = await forward(incoming, sent);
      outgoing.writeHead(answered.status, answered.headers).end(answered.body);
    }
  }

  /** Sends some of the changes to the cluster, and answers for the rest as a node does whose queue is full. */
  async function rejecting(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    sent: Buffer,
    rejects: (at: number) => boolean,
  ): Promise<void> {
    const changes = changesOf(sent);
    const rest = changes.filter((_, at) => !rejects(at)).flat();
    const answered = rest.length > 0 ? await forward(incoming, Buffer.from(`${rest.join('\n')}\n`)) : null;
    const items: unknown[] = answered ? JSON.parse(String(answered.body)).items : [];
    const error = { type: 'es_rejected_execution_exception', reason: 'rejected execution' };
    const all = changes.map((_, at) => (rejects(at) ? { index: { status: 429, error } } : items.shift()));
    outgoing.writeHead(200, { 'content-type': 'application/json', 'x-elastic-product': 'Elasticsearch' });
    outgoing.end(JSON.stringify({ items: all }));
  }

  async function forward({ method, url, headers }: IncomingMessage, sent: Buffer) {
    const { connection, 'content-length': _, 'transfer-encoding': __, 'accept-encoding': ___, ...others } = headers;
    const asking = request(new URL(url ?? '', target), { method, headers: others });
    asking.end(sent);
    const [answered] = (await once(asking, 'response')) as [IncomingMessage];
    const { 'transfer-encoding': ____, ...given } = answered.headers;
    return { status: answered.statusCode ?? 0, headers: given, body: await bodyOf(answered) };
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('there is no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    counts,
    /** From now on requests are answered in this way. */
    fail(next: typeof faultOf) {
      faultOf = next;
      counts.faults = 0;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function bodyOf(stream: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}

/** The lines of each change of a bulk request. */
function changesOf(sent: Buffer): string[][] {
  const changes: string[][] = [];
  let isDocument = false;
  for (const line of String(sent).trimEnd().split('\n')) {
    if (isDocument) changes.at(-1)?.push(line);
    else changes.push([line]);
    isDocument = !isDocument && !line.startsWith('{"delete"');
  }
  return changes;
}
