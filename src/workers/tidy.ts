import type { Logger } from 'pino';
import type { Database } from '../adapters/database/database.js';
import type { World } from '../world.js';

const lookMs = 10_000;
/** Looks between two vacuums: five minutes. */
const vacuumEvery = 30;
/** Scrubbing stops everybody while it runs, so it may take at most this share of the time. */
const scrubShare = 1 / 1000;
/** Below this many bytes a scrub takes less than a second, and a service that stops can afford it. */
const smallStore = 64 * 1024 * 1024;

export interface TidyParts {
  readonly database: Database;
  readonly world: World;
  readonly log: Logger;
  /** Writes the tables anew, if anything was deleted since the last time. @returns whether that was so */
  scrubErased(): Promise<boolean>;
}

/**
 * What the embedded database does not do by itself. It runs no checkpoint, no vacuum and no analyze: 1.5M entries left 1.5 GB of
 * write-ahead log. And what was deleted lies in its files until they are written anew; a killed process leaves that to the
 * next one, which finds in the table `erased` that there is something to do.
 */
export function startTidying(parts: TidyParts): { stop(): Promise<void> } {
  const { database, world, log } = parts;
  const stopping = new AbortController();
  let notBefore = 0;
  let analyzedAt = 0;

  async function look(count: number): Promise<void> {
    if (count % vacuumEvery === 0) {
      await database.maintain('vacuum (analyze)');
      await database.maintain('checkpoint');
    }
    // Plans made while a store was small are wrong when it has grown; this is what makes them anew.
    const entries = await countEntries(database);
    if (entries > 2 * analyzedAt) {
      await database.maintain('analyze');
      analyzedAt = entries;
    }
    const from = world.now().getTime();
    if (from < notBefore || !(await parts.scrubErased())) return;
    const ms = world.now().getTime() - from;
    notBefore = from + ms / scrubShare;
    log.info({ ms }, 'tables were written anew to forget what was deleted');
  }

  const running = (async () => {
    for (let count = 1; !stopping.signal.aborted; count += 1) {
      await world.sleep(lookMs, stopping.signal);
      if (stopping.signal.aborted) return;
      await look(count).catch((error) => log.warn({ err: error }, 'tidying failed; it is tried again'));
    }
  })();

  return {
    async stop() {
      stopping.abort();
      await running;
      if (await isSmall(database)) {
        await parts.scrubErased().catch((error) => log.warn({ err: error }, 'scrubbing is left to the next start'));
      }
    },
  };
}

async function countEntries(database: Database): Promise<number> {
  const [row] = await database.read((tx) =>
    tx.query<{ entries: number }>('select coalesce(sum(head_seq), 0)::bigint as entries from chains'),
  );
  return row?.entries ?? 0;
}

async function isSmall(database: Database): Promise<boolean> {
  const [row] = await database.read((tx) =>
    tx.query<{ size: number }>('select pg_database_size(current_database()) as size'),
  );
  return (row?.size ?? 0) < smallStore;
}
