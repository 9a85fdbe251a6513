import type { Logger } from 'pino';
import type { Database } from '../adapters/database/database.js';
import type { World } from '../world.js';

const everyMs = 5 * 60_000;

/** The embedded database runs no checkpoint and no vacuum by itself: 1.5M entries left 1.5 GB of write-ahead log. */
export function startTidying(database: Database, world: World, log: Logger): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const running = (async () => {
    while (!stopping.signal.aborted) {
      await world.sleep(everyMs, stopping.signal);
      if (stopping.signal.aborted) return;
      try {
        await database.maintain('vacuum (analyze)');
        await database.maintain('checkpoint');
      } catch (error) {
        log.warn({ err: error }, 'tidying failed; it is tried again in five minutes');
      }
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
