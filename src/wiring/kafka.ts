import type { Logger } from 'pino';
import { type KafkaConnection, openKafka } from '../adapters/kafka/connection.js';
import type { KafkaSetting } from '../settings/engines.js';

/** The brokers of the settings, for the relay and for task receipts. */
export interface OpenedKafka {
  readonly setting: KafkaSetting;
  readonly kafka: KafkaConnection;
}

/** @throws WrongSetting */
export async function openBrokers(setting: KafkaSetting, log: Logger): Promise<OpenedKafka> {
  return { setting, kafka: await openKafka(setting, log) };
}
