import type { Refusal } from '../../../contracts/errors.js';
import type { ReceiptRecord } from './record.js';

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
