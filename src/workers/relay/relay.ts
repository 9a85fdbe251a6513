import { chainKind } from '../../../contracts/chains.js';
import type { KafkaConnection } from '../../adapters/kafka/connection.js';
import { type FollowingParts, following } from '../followers.js';
import type { Job } from '../loop.js';
import { checkTopic, prepareTopic, type ReadyTopic, TopicStopped } from './prepare.js';
import { createSending } from './sending.js';
import { stoppedChains } from './stops.js';
import { chooseTopic, currentTopic, followerOf, type RelayTopic, type Stream } from './topics.js';

interface RelayParts extends FollowingParts {
  readonly kafka: KafkaConnection;
  readonly stream: Stream;
  /** The topic of the settings, and the number of partitions with which it is made. */
  readonly topic: string;
  readonly partitions: number;
}

/** How often a topic is looked at again while it is in use. */
const checkMs = 10_000;
/** How often a process notices that the command line has named another topic. */
const lookMs = 1000;

/** How long it waits before it prepares a topic again that cannot be used. */
const faultPauseMs = 3000;

/** A topic in use. */
interface Active {
  readonly topic: string;
  readonly job: Job;
  /** Aborted when this topic must not be used any more, or must be prepared again. */
  readonly left: AbortController;
  readonly fault: () => string | null;
  discard(): void;
  checkedAt: number;
}

/** Which chains belong to a stream. */
function isIn(stream: Stream, chain: string): boolean {
  return (chainKind(chain) === 'workspace') === (stream === 'entries');
}

/**
 * Sends the entries of the chains of a stream to its topic, each chain in order and each entry at least once. The topic is
 * prepared when the process begins with it, and again when it is not the one that it was.
 * @param wake wakes this worker
 */
export function createRelay(parts: RelayParts, wake: () => void) {
  const { database, stream } = parts;
  let active: Active | null = null;

  async function wanted(): Promise<RelayTopic> {
    await database.transaction((tx) => chooseTopic(tx, stream, parts.topic));
    const current = await database.read((tx) => currentTopic(tx, stream));
    if (current === null) throw new Error('the relay has no topic');
    return current;
  }

  async function leave(): Promise<void> {
    const before = active;
    active = null;
    if (before === null) return;
    before.left.abort();
    before.discard();
    await before.job.ended?.();
  }

  async function enter(topic: RelayTopic): Promise<Active> {
    const ready = await prepareTopic(parts, topic, parts.partitions);
    const refused = await database.read((tx) => stoppedChains(tx, topic.topic, 'refused'));
    return activate(parts, ready, refused, wake);
  }

  /** Leaves a topic that must not be used any more. */
  async function look(now: Active): Promise<void> {
    const current = await database.read((tx) => currentTopic(tx, stream));
    if (current === null || current.topic !== now.topic) return now.left.abort();
    if (performance.now() - now.checkedAt < checkMs) return;
    now.checkedAt = performance.now();
    await checkTopic(parts, current).catch((error: unknown) => {
      // Brokers that are away say nothing about the topic.
      if (error instanceof TopicStopped) now.left.abort();
    });
  }

  return {
    fault: () => active?.fault() ?? null,
    discard: () => active?.discard(),
    job: {
      name: `relay of ${stream}`,
      napMs: lookMs,
      pauseMs: faultPauseMs,
      async work(stopping) {
        if (active?.left.signal.aborted) await leave();
        active ??= await enter(await wanted());
        const now = active;
        await look(now);
        const looking = setInterval(() => void look(now).catch(() => undefined), lookMs);
        try {
          if (now.left.signal.aborted) return true;
          return await now.job.work(AbortSignal.any([stopping, now.left.signal]));
        } finally {
          clearInterval(looking);
        }
      },
      ended: leave,
    } satisfies Job,
  };
}

function activate(parts: RelayParts, ready: ReadyTopic, refused: Set<string>, wake: () => void): Active {
  const { topic, partitions, forked } = ready;
  const left = new AbortController();
  const lost = () => left.abort();
  const sending = createSending(parts, { topic, partitions, refused, lost });
  const job = following(
    parts,
    {
      name: followerOf(topic),
      from: 'begin',
      follows: (chain) => isIn(parts.stream, chain) && !forked.has(chain),
      send: sending.send,
    },
    wake,
  );
  parts.log.info({ topic, partitions, forked: forked.size }, 'the relay sends entries');
  return { topic, job, left, fault: sending.fault, discard: sending.discard, checkedAt: performance.now() };
}
