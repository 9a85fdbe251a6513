import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../../src/database/database.js';
import { openDatabase } from '../../../src/database/open.js';
import { relayHealth } from '../../../src/workers/relay/health.js';
import { type Acknowledged, key, load, missing } from '../../faults/acknowledged.js';
import { medianAndWorst } from '../../faults/figures.js';
import { type Service, start } from '../../faults/service-process.js';
import { until } from '../../relay/process.js';
import { clientOf } from '../../relay/topic.js';
import { expectWhole } from '../../relay/whole.js';
import { kafkaBrokers } from '../../support/engines.js';
import { dropDatabase } from '../../support/fresh-database.js';
import { preparedDatabase } from '../../support/prepared-store.js';
import { repeats } from '../../support/repeats.js';

const directory = mkdtempSync(join(tmpdir(), 'counterfoil-kill-relay-'));
const brokers = kafkaBrokers();
const topic = `kill-relay-${randomUUID()}`;
let url: string;
let database: Database;
let http: Service;
let relay: Service;

const startRole = (ROLES: string) =>
  start({
    ROLES,
    DATABASE_URL: url,
    DATA_DIR: directory,
    BOOTSTRAP_API_KEY: key,
    PORT: '0',
    LOG_LEVEL: 'error',
    RATE_LIMITS: 'off',
    OTS_CALENDARS: 'off',
    KAFKA_BROKERS: brokers,
    KAFKA_ENTRIES_TOPIC: topic,
    KAFKA_PARTITIONS: '3',
  });

beforeAll(async () => {
  url = await preparedDatabase();
  http = await startRole('http');
  relay = await startRole('webhooks');
  database = await openDatabase({ kind: 'server', url });
});
afterAll(async () => {
  await Promise.all([http.kill(), relay.kill(), database.close()]);
  const admin = clientOf(brokers).admin();
  await admin.connect();
  await admin.deleteTopics({ topics: [topic] });
  await admin.disconnect();
  await dropDatabase(url);
  rmSync(directory, { recursive: true });
});

const behind = async () => (await database.read((tx) => relayHealth(tx, 'entries'))).lags.get('relay')?.entries;

// @covers RELAY-OUTAGE
it('sends every entry in order, though its process is killed while it sends', async () => {
  const seen: Acknowledged = { memories: new Map(), batches: [] };
  const recoveries: number[] = [];
  for (let kill = 0; kill < repeats('RELAY_KILLS'); kill += 1) {
    const stop = new AbortController();
    const loading = load(http.origin, seen, `kill ${kill}`, stop.signal);
    await new Promise((resolve) => setTimeout(resolve, 200 + Math.random() * 800));
    await relay.kill();
    relay = await startRole('webhooks');
    stop.abort();
    await loading;
    // The lease of the killed process has to run out first.
    recoveries.push(await until(async () => (await behind()) === 0, 120_000));
  }
  expect(await missing(http.origin, seen)).toEqual([]);
  const { entries, repeated } = await expectWhole(database, brokers, topic);
  console.log(
    `${recoveries.length} kills of the relay: ${entries} entries sent in order, ${repeated} of them repeated, all after ${medianAndWorst(recoveries)}`,
  );
});
