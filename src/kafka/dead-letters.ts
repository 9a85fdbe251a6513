import type { Refusal } from '../../contracts/errors.js';
import { type DeadLetter, deadLetterOf, deadTopicOf } from '../domain/kafka/dead-letter.js';
import type { ReceiptRecord } from '../domain/kafka/record.js';

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
