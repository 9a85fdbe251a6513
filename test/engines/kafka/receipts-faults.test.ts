import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../../../src/base/package-root.js';
import { medianAndWorst } from '../../faults/figures.js';
import { type Service, start } from '../../faults/service-process.js';
import { apiKey } from '../../http/service.js';
import { taskReceipt } from '../../http/task-receipt.js';
import { eventually, type ReceiptsTopic, receiptsTopic } from '../../kafka/receipts-topic.js';
import { dropDatabase } from '../../support/fresh-database.js';
import { preparedDatabase } from '../../support/prepared-store.js';
import { repeats } from '../../support/repeats.js';

const port = 27_092;
const brokers = `127.0.0.1:${port}`;
const broker = (action: string) =>
  execFileSync(join(packageRoot, 'ops/engines'), [action, 'kafka'], {
    env: { ...process.env, ENGINE_NAME: 'receipts', ENGINE_PORT: String(port) },
    stdio: 'ignore',
  });

/** Two processes that share the partitions of a topic, on one database and with a broker of their own, which all fail. */
describe('task receipts from Kafka, while processes and brokers fail', () => {
  const directory = mkdtempSync(join(tmpdir(), 'counterfoil-kafka-faults-'));
  let topic: ReceiptsTopic;
  let database: string;
  let processes: [Service, Service];
  const begin = async (): Promise<Service> =>
    start({
      DATABASE_URL: database,
      DATA_DIR: directory,
      PORT: '0',
      OTS_CALENDARS: 'off',
      RATE_LIMITS: 'off',
      BOOTSTRAP_API_KEY: apiKey,
      KAFKA_BROKERS: brokers,
      KAFKA_ENTRIES_TOPIC: `${topic.topic}.entries`,
      KAFKA_RECEIPTS_TOPIC: topic.topic,
      KAFKA_RECEIPTS_KEY_FILE: join(directory, 'key'),
      KAFKA_GROUP: topic.group,
      KAFKA_PARTITIONS: '4',
    });
  beforeAll(async () => {
    broker('start');
    topic = await receiptsTopic(brokers);
    database = await preparedDatabase();
    writeFileSync(join(directory, 'key'), apiKey, { mode: 0o600 });
    processes = [await begin(), await begin()];
    await eventually(
      'the topics are made',
      async () => (await topic.admin.listTopics()).includes(`${topic.topic}.dead`),
      60,
    );
  });
  afterAll(async () => {
    await Promise.all(processes.map((one) => one.kill()));
    await topic.remove();
    broker('stop');
    await dropDatabase(database);
    rmSync(directory, { recursive: true });
  });

  const acknowledged: string[] = [];
  /** The fault → after how many milliseconds every partition continued. */
  const recoveries = new Map<string, readonly number[]>();
  /** Produces receipts of both kinds of records until it is stopped; some records are no receipts. */
  function producing() {
    let isOn = true;
    let sent = 0;
    const ended = (async () => {
      while (isOn) {
        sent += 1;
        const ids = Array.from({ length: 5 }, (_, at) => `load-${acknowledged.length}-${sent}-${at}`);
        const [first = '', ...rest] = ids;
        const receipts = rest.map((receipt_id) => taskReceipt({ receipt_id }));
        const values = [JSON.stringify(taskReceipt({ receipt_id: first })), JSON.stringify({ receipts })];
        await topic.send(...values.map((value, at) => ({ key: `${sent}-${at}`, value })));
        acknowledged.push(...ids);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    })();
    return async () => {
      isOn = false;
      await ended;
    };
  }
  /** The client's ids of all task receipts of the ledger. */
  async function recorded(): Promise<string[]> {
    const client = new pg.Client({ connectionString: database });
    await client.connect();
    const { rows } = await client.query<{ id: string }>(
      `select (convert_from(bytes, 'UTF8')::json)->'body'->'task'->>'receipt_id' as id from entries
        where convert_from(bytes, 'UTF8') like '%"kind":"task"%'`,
    );
    await client.end();
    return rows.map(({ id }) => id);
  }
  const doneIn = (partitions: readonly { readonly done: number }[]) =>
    partitions.reduce((sum, { done }) => sum + done, 0);
  const progressNow = async () => {
    for (;;) {
      const partitions = await topic.progress();
      if (partitions) return partitions;
    }
  };
  /**
   * Waits until everything is taken. How long that takes depends on the records that wait, so that only the time until every
   * partition continues is a recovery; and it fails when nothing is taken for a while.
   */
  async function settle(what: string): Promise<void> {
    const began = performance.now();
    const elapsed = () => performance.now() - began;
    const before = await progressNow();
    const waiting = before.reduce((sum, { done, end }) => sum + end - done, 0);
    const continues = async () =>
      (await progressNow()).every(({ done, end }, at) => done === end || done > (before[at]?.done ?? 0));
    await eventually(`every partition continues after ${what}`, continues, 90);
    const continued = elapsed();
    for (let taken = 0; !(await topic.isDone()); taken = doneIn(await progressNow())) {
      const continues = async () => (await topic.isDone()) || doneIn(await progressNow()) > taken;
      await eventually(`more is taken after ${what}`, continues, 90);
    }
    const times = recoveries.get(what) ?? [];
    recoveries.set(what, [...times, continued]);
    console.log(
      `${what}: ${waiting} records waited, every partition continued after ${Math.round(continued)} ms, all were taken after ${Math.round(elapsed())} ms`,
    );
  }
  async function during(what: string, fault: () => Promise<void>): Promise<void> {
    const stop = producing();
    await new Promise((resolve) => setTimeout(resolve, 500));
    await fault();
    await new Promise((resolve) => setTimeout(resolve, 500));
    await stop();
    await settle(what);
  }

  // @covers KREC-OFFSET KREC-LOST KREC-WAIT KREC-HEALTH
  it('loses and doubles none', { timeout: 3_600_000 }, async () => {
    for (let round = 0; round < repeats('RECEIPT_KILLS'); round += 1) {
      await during('a kill of a process', async () => {
        const at = round % 2;
        await processes[at]?.kill();
        processes[at] = await begin();
      });
      await during('a kill of the broker', async () => {
        broker('kill');
        broker('start');
      });
    }
    await during('a pause of the broker', async () => {
      broker('pause');
      await new Promise((resolve) => setTimeout(resolve, 4000));
      broker('resume');
    });
    await during('a loss of the database', async () => {
      const client = new pg.Client({ connectionString: database });
      await client.connect();
      await client.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      );
      await client.end();
    });
    const ids = await recorded();
    const missing = acknowledged.filter((id) => !ids.includes(id));
    const lines = [...recoveries].map(([what, times]) => `${times.length} × ${what}: ${medianAndWorst(times)}`);
    console.log(
      `${acknowledged.length} receipts were acknowledged by the broker, ${ids.length} are in the ledger; every partition continued after\n${lines.join('\n')}`,
    );
    expect([missing, ids.length - new Set(ids).size, await topic.dead()]).toEqual([[], 0, []]);
  });
});
