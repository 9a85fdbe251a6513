import { orLate } from '../base/deadline.js';
import { onceASecond } from '../domain/once-a-second.js';
import type { Measured } from './metrics.js';

/** How long the parts of the state are waited for. A part that is late or fails is null, and the rest is shown all the same. */
const patienceMs = 2000;

type Sources = Pick<Measured, 'logHealth' | 'feedHealth' | 'searchLeft' | 'engineHealth'> & {
  /** The version of the database engine. */
  databaseVersion(): Promise<string>;
};

/** The state of the whole service, for its operators. It is read at most once a second, however many ask. */
export function createServiceState(sources: Sources) {
  const inTime = <T>(work: Promise<T>): Promise<T | null> =>
    orLate(
      patienceMs,
      work.catch(() => null),
      null,
    );
  return onceASecond(async () => {
    const [log, feeds, searchLeft, engines, databaseVersion] = await Promise.all([
      inTime(sources.logHealth()),
      inTime(sources.feedHealth()),
      inTime(sources.searchLeft()),
      inTime(sources.engineHealth()),
      inTime(sources.databaseVersion()),
    ]);
    return { log, feeds, searchLeft, engines, versions: { node: process.version, database: databaseVersion } };
  });
}
