import type { Logger } from 'pino';
import { type KafkaConnection, openKafka } from '../adapters/kafka/connection.js';
import type { Config } from '../settings/config.js';
import type { KafkaSetting } from '../settings/engines.js';

/** The brokers of the settings, for the relay and for task receipts. */
export interface OpenedKafka {
  readonly setting: KafkaSetting;
  readonly kafka: KafkaConnection;
}

/** @returns null where the settings name no brokers. @throws WrongSetting */
export async function wireKafka({ kafka }: Pick<Config, 'kafka'>, log: Logger): Promise<OpenedKafka | null> {
  return kafka ? { setting: kafka, kafka: await openKafka(kafka, log) } : null;
}
