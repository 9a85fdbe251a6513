import type { Database } from '../database/database.js';
import { beginTopic, type Stream } from '../workers/relay/topics.js';
import type { MaintenanceCommand } from './command.js';

/** `relay reset`: the entries of a stream are sent to another topic, from the first one on. Services that run notice it. */
export const relay =
  (database: Database): MaintenanceCommand =>
  async ([action, topic, stream]) => {
    if (action !== 'reset' || topic === undefined || !isStream(stream)) {
      throw new Error('Usage: counterfoil relay reset --topic NEW');
    }
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/.test(topic)) {
      throw new Error('--topic must be 1 to 200 characters of A-Z a-z 0-9 . _ -, the first a letter or digit.');
    }
    const isBegun = await database.transaction((tx) => beginTopic(tx, stream, topic));
    if (!isBegun) {
      throw new Error(`The relay has used the topic ${topic} before. Name a topic that it has never used.`);
    }
    const setting = stream === 'log' ? 'KAFKA_LOG_TOPIC' : 'KAFKA_ENTRIES_TOPIC';
    return {
      ok: true,
      text: `The relay begins with the first entry of each chain in the topic ${topic}. Set ${setting}=${topic}, too.`,
    };
  };

const isStream = (value: string | undefined): value is Stream => value === 'entries' || value === 'log';
