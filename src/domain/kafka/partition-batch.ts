import type { ReceiptRecord } from './record.js';

/** Some records of one partition in their order, and what the group of consumers can be asked while they are worked on. */
export interface PartitionBatch {
  readonly partition: number;
  readonly records: readonly ReceiptRecord[];
  /** Whether the consumer still runs. */
  isRunning(): boolean;
  /** Says that this process lives; the broker is asked now and then only. Fails when the partition is lost. */
  heartbeat(): Promise<void>;
  /** This record and all before it are done. */
  resolve(offset: string): void;
  /** Stores at the broker what is done. Fails when the partition is lost. */
  commit(): Promise<void>;
  /** No more records of the partition come, until the function that is returned is called. */
  pause(): () => void;
}
