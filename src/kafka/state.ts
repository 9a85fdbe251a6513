/** Why a partition waits, and since when it has waited. */
interface Waiting {
  readonly code: string;
  readonly since: Date;
}

/** The state of this process's part of the topic of task receipts, for health and metrics. */
export interface TakingState {
  /** These partitions are this process's now, and no others. */
  assigned(partitions: readonly number[]): void;
  /** A record of the partition is being worked on. @param producedAt in milliseconds since 1970 */
  begun(partition: number, producedAt: number): void;
  waits(partition: number, code: string, at: Date): void;
  /** The record of the partition is in the ledger, or in the topic of dead letters. */
  done(partition: number, outcome: 'taken' | 'dead'): void;
  /** The consumer stopped for this reason and is started again; null when it runs. */
  stopped(reason: string | null, at: Date): void;
  readonly counts: ReadonlyMap<'taken' | 'dead', number>;
  /** When the oldest record in work was produced; undefined when none is. */
  oldest(): number | undefined;
  /** A sentence for each problem. */
  problems(topic: string): readonly string[];
}

export function createTakingState(): TakingState {
  const waiting = new Map<number, Waiting>();
  const inWork = new Map<number, number>();
  const counts = new Map<'taken' | 'dead', number>([
    ['taken', 0],
    ['dead', 0],
  ]);
  let stop: { readonly reason: string; readonly since: Date } | null = null;
  return {
    counts,
    assigned(partitions) {
      for (const map of [waiting, inWork]) {
        for (const partition of map.keys()) if (!partitions.includes(partition)) map.delete(partition);
      }
    },
    begun(partition, producedAt) {
      inWork.set(partition, producedAt);
    },
    waits(partition, code, at) {
      const since = waiting.get(partition)?.since ?? at;
      waiting.set(partition, { code, since });
    },
    done(partition, outcome) {
      waiting.delete(partition);
      inWork.delete(partition);
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    },
    stopped(reason, at) {
      stop = reason === null ? null : { reason, since: stop?.since ?? at };
    },
    oldest: () => (inWork.size === 0 ? undefined : Math.min(...inWork.values())),
    problems(topic) {
      const waits = [...waiting].sort(([a], [b]) => a - b);
      return [
        ...(stop === null
          ? []
          : [`No task receipts are taken from the topic ${topic} since ${stop.since.toISOString()}: ${stop.reason}.`]),
        ...waits
          .slice(0, shownPartitions)
          .map(
            ([partition, { code, since }]) =>
              `Partition ${partition} of the topic ${topic} has waited since ${since.toISOString()}: ${code}.`,
          ),
        ...(waits.length > shownPartitions ? [`${waits.length - shownPartitions} more partitions of it wait.`] : []),
      ];
    },
  };
}

const shownPartitions = 5;
