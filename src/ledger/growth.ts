import type { Growth } from './ledger.js';

/** Between two looks at everything, in milliseconds. */
const lookMs = 1000;
/** With more chains than this at once, looking at everything costs no more than looking at each. */
const maxNamed = 1000;

interface Follower {
  grown: Set<string>;
  wake(): void;
}

/** Notifies the followers in this process of appends. */
interface Notifier {
  /** Entries of this chain can be read that could not be read before. */
  grew(chain: string): void;
  /** As `follow` of the ledger. */
  follow(signal: AbortSignal): AsyncIterable<Growth>;
}

export function createNotifier(everyMs: number = lookMs): Notifier {
  const followers = new Set<Follower>();
  return {
    grew(chain) {
      for (const follower of followers) {
        if (follower.grown.size <= maxNamed) follower.grown.add(chain);
        follower.wake();
      }
    },
    async *follow(signal) {
      const follower: Follower = { grown: new Set(), wake: () => undefined };
      followers.add(follower);
      try {
        while (!signal.aborted) {
          follower.grown.clear();
          yield 'unknown';
          yield* namedUntil(follower, performance.now() + everyMs, signal);
        }
      } finally {
        followers.delete(follower);
      }
    },
  };
}

/** The chains that grow until then, unless there are too many to name. */
async function* namedUntil(follower: Follower, end: number, signal: AbortSignal): AsyncGenerator<Growth> {
  for (;;) {
    const left = end - performance.now();
    if (signal.aborted || left <= 0 || follower.grown.size > maxNamed) return;
    if (follower.grown.size > 0) {
      const { grown } = follower;
      follower.grown = new Set();
      yield grown;
    } else {
      await woken(follower, left, signal);
    }
  }
}

function woken(follower: Follower, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      follower.wake = () => undefined;
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
    follower.wake = done;
  });
}
