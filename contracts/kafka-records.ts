/** A record of the topic of task receipts. Names of headers are as they were sent, and one name may come several times. */
export interface ReceiptRecord {
  readonly topic: string;
  readonly partition: number;
  /** A whole number in decimal digits, which may be too large for a number of JavaScript. */
  readonly offset: string;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers: ReadonlyMap<string, readonly Buffer[]>;
  /** When the record was produced, in milliseconds since 1970. */
  readonly producedAt: number;
}

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
