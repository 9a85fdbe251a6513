import { connect, createServer, type Socket } from 'node:net';

/** A way to a server that can go silent, as a network does that loses every packet: nothing is closed and nothing arrives. */
export interface SilentProxy {
  /** The address of what is behind it, by this way. */
  readonly url: string;
  /** From now on nothing passes, on connections that are there and on new ones. */
  silence(): void;
  /**
   * New connections pass again. Those that went silent stay so forever, as behind a router that has forgotten them, or
   * what was held up arrives late.
   */
  recover(how: 'forgotten' | 'late'): void;
  close(): Promise<void>;
}

export async function silentProxy(url: string): Promise<SilentProxy> {
  const target = new URL(url);
  const pairs = new Set<readonly [Socket, Socket]>();
  const forgotten = new WeakSet<readonly [Socket, Socket]>();
  let silent = false;

  const server = createServer({ pauseOnConnect: false }, (near) => {
    const far = connect(Number(target.port), target.hostname);
    const pair = [near, far] as const;
    pairs.add(pair);
    const quiet = () => silent || forgotten.has(pair);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (data) => {
        if (quiet()) {
          from.pause();
          from.unshift(data);
        } else to.write(data);
      });
      // The other side hears of an end when anything is heard.
      from.on('close', () => {
        if (!quiet()) to.destroy();
        if (near.destroyed && far.destroyed) pairs.delete(pair);
      });
      from.on('error', () => undefined);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  const near = new URL(url);
  near.host = `127.0.0.1:${address.port}`;
  return {
    url: near.toString(),
    silence() {
      silent = true;
    },
    recover(how) {
      for (const pair of pairs) {
        if (how === 'forgotten') forgotten.add(pair);
      }
      silent = false;
      if (how === 'forgotten') return;
      for (const [a, b] of pairs) {
        for (const [from, to] of [
          [a, b],
          [b, a],
        ] as const) {
          from.resume();
          if (from.destroyed) setTimeout(() => to.destroy(), 50);
        }
      }
    },
    async close() {
      for (const [a, b] of pairs) {
        a.destroy();
        b.destroy();
      }
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
