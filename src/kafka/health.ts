import type { World } from '../base/world.js';
import type { TakingState } from './state.js';

interface Parts {
  readonly topic: string;
  readonly state: TakingState;
  readonly world: Pick<World, 'now' | 'sleep'>;
  isUp(): Promise<boolean>;
  /** Whether the API key of the settings is one of a workspace. */
  isKeyKnown(): Promise<boolean>;
  /** How many records of the topic the group of consumers has not done. */
  behind(): Promise<number>;
}

/** How long a count of what is behind is shown, and how long a request for it waits. */
const lagMs = { shown: 5000, wait: 800 };

/** The state of the consumer of task receipts, for metrics and readiness. */
export function createReceiptsHealth(parts: Parts) {
  const { topic, state } = parts;
  const behind = createLag(parts);
  return async () => {
    const [isUp, lag, isKeyKnown] = await Promise.all([
      parts.isUp(),
      behind(),
      // When the database does not answer, that is reported already.
      parts.isKeyKnown().catch(() => true),
    ]);
    const problems = [
      ...(isUp ? [] : [`Kafka does not answer: task receipts of the topic ${topic} wait there.`]),
      ...(isKeyKnown
        ? []
        : ['The key of KAFKA_RECEIPTS_KEY_FILE is not known: records without a signature are refused.']),
      ...state.problems(topic),
    ];
    const lags = new Map([['kafka-receipts', lag]]);
    return { engine: 'kafka-receipts', isUp, problems, lags, records: state.counts };
  };
}

/** Asks the brokers now and then only, and never makes a caller wait long. */
function createLag({ state, world, behind }: Pick<Parts, 'state' | 'world' | 'behind'>) {
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | undefined;
  let entries = 0;
  let caughtUpAt = world.now().getTime();

  async function ask(): Promise<void> {
    try {
      entries = await behind();
    } catch {
      // The brokers do not answer, which is reported already. The last count stays.
    }
    askedAt = performance.now();
    asking = undefined;
  }

  return async () => {
    if (performance.now() - askedAt > lagMs.shown) asking ??= ask();
    const shown = new AbortController();
    if (asking) await Promise.race([asking, world.sleep(lagMs.wait, shown.signal)]);
    shown.abort();
    const now = world.now().getTime();
    if (entries === 0) caughtUpAt = now;
    const since = state.oldest() ?? caughtUpAt;
    return { entries, seconds: entries === 0 ? 0 : Math.max(0, (now - since) / 1000) };
  };
}
