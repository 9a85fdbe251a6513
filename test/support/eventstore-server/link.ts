import { connect, createServer, type Socket } from 'node:net';

/** A way to a server by TCP that can be cut, frozen and half closed. */
export interface Link {
  readonly port: number;
  /** A connection string of the server, by this way. */
  urlOf(url: string): string;
  /** Resets the connections that are there. New ones pass. */
  cut(): void;
  /** From now on nothing passes, in both directions; nothing is closed. New connections are accepted and are as silent. */
  freeze(): void;
  /** The bytes that were held up while it was frozen pass, and all that follow. */
  thaw(): void;
  /** The server seems to end its side of each connection without another answer. The client may still send. */
  halfClose(): void;
  close(): Promise<void>;
}

export async function startLink(targetPort: () => number): Promise<Link> {
  const pairs = new Set<readonly [near: Socket, far: Socket]>();
  let isFrozen = false;
  const server = createServer({ noDelay: true, allowHalfOpen: true }, (near) => {
    const far = connect({ port: targetPort(), host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
    const pair = [near, far] as const;
    pairs.add(pair);
    near.on('close', () => {
      pairs.delete(pair);
      far.destroy();
    });
    far.on('close', () => near.destroy());
    near.on('error', () => far.destroy());
    far.on('error', () => near.destroy());
    if (!isFrozen) join(pair);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the link has no port');
  return {
    port: address.port,
    urlOf: (url) => url.replace(/:\d+(?=\?|$)/, `:${address.port}`),
    cut() {
      for (const [near] of pairs) near.resetAndDestroy();
    },
    freeze() {
      isFrozen = true;
      for (const [near, far] of pairs) {
        near.unpipe(far).pause();
        far.unpipe(near).pause();
      }
    },
    thaw() {
      isFrozen = false;
      for (const pair of pairs) join(pair);
    },
    halfClose() {
      for (const [near, far] of pairs) {
        far.unpipe(near).resume();
        near.end();
      }
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const [near] of pairs) near.resetAndDestroy();
      await closed;
    },
  };
}

function join([near, far]: readonly [Socket, Socket]): void {
  near.pipe(far);
  far.pipe(near);
}
