import type { Refusal } from '../../contracts/errors.js';
import type { ReceiptRecord } from '../../contracts/kafka-records.js';

/** A record that was refused, as it goes to the topic of dead letters. */
export interface DeadLetter {
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers: ReadonlyMap<string, readonly Buffer[]>;
}

export const deadTopicOf = (topic: string): string => `${topic}.dead`;

/**
 * Key, value and headers as they came, and why, where and when the record was refused. A record that was a dead letter before
 * has these headers already: then the last one of a name is the newest.
 */
export function deadLetterOf(record: ReceiptRecord, refusal: Refusal, at: Date): DeadLetter {
  const { key, value, topic, partition, offset } = record;
  const reasons: readonly [string, string][] = [
    ['error-code', refusal.code],
    ['error-message', refusal.message],
    ['source-topic', topic],
    ['source-partition', String(partition)],
    ['source-offset', offset],
    ['refused-at', at.toISOString()],
  ];
  const headers = new Map(record.headers);
  for (const [name, text] of reasons) headers.set(name, [...(headers.get(name) ?? []), Buffer.from(text, 'utf8')]);
  return { key, value, headers };
}

/** A producer that sends one batch at a time and is of no use after an error. */
export interface DeadLetterProducer {
  send(topic: string, letter: DeadLetter): Promise<unknown>;
  discard(): void;
}

/** Sends dead letters one after the other. */
export interface DeadLetters {
  /** Resolves when the dead letter is durable. A letter whose fate is unknown is sent again, so it may come twice. */
  send(record: ReceiptRecord, refusal: Refusal): Promise<void>;
  close(): void;
}

export function createDeadLetters(open: () => Promise<DeadLetterProducer>, now: () => Date): DeadLetters {
  let producer: DeadLetterProducer | undefined;
  let last: Promise<unknown> = Promise.resolve();

  async function sendNow(record: ReceiptRecord, refusal: Refusal): Promise<void> {
    producer ??= await open();
    try {
      await producer.send(deadTopicOf(record.topic), deadLetterOf(record, refusal, now()));
    } catch (error) {
      producer.discard();
      producer = undefined;
      throw error;
    }
  }

  return {
    send(record, refusal) {
      const sent = last.then(() => sendNow(record, refusal));
      last = sent.catch(() => undefined);
      return sent;
    },
    close() {
      producer?.discard();
      producer = undefined;
    },
  };
}
