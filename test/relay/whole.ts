import { expect } from 'vitest';
import type { Database } from '../../src/database/database.js';
import { readTopic, withoutRepetitions } from './topic.js';

/**
 * Every entry of workspaces is in the topic, each chain in order, and repetitions are identical.
 * @returns how many entries, and how many records repeat one
 */
export async function expectWhole(
  database: Pick<Database, 'read'>,
  brokers: string,
  topic: string,
): Promise<{ entries: number; repeated: number }> {
  const all = await readTopic(brokers, topic);
  const chains = withoutRepetitions(all);
  const rows = await database.read((tx) =>
    tx.query<{ total: number }>(
      `select head_seq as total from chains where chain::text not like '00000000-%' and chain::text not like 'ffffffff-%' order by 1`,
    ),
  );
  const lengths = [...chains.values()].map((records) => {
    expect(records.map(({ headers }) => Number(headers.seq))).toEqual(records.map((_, i) => i + 1));
    return records.length;
  });
  expect(lengths.sort((a, b) => a - b)).toEqual(rows.map(({ total }) => total));
  const entries = lengths.reduce((sum, length) => sum + length, 0);
  return { entries, repeated: all.length - entries };
}
