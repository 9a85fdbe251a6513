import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { expunging } from '../../../src/workers/elasticsearch/expunging.js';
import { clusterThat, counted } from '../../adapters/elasticsearch-answers.js';
import { newStore } from '../../maintenance/store.js';

const nothing = () => undefined;

// @covers ESW-DAILY
it('removes the bytes of deleted memories in Elasticsearch once a day', async () => {
  const store = await newStore();
  try {
    let merges = 0;
    const cluster = await clusterThat((path, reply) => {
      if (path.includes('_forcemerge')) merges += 1;
      counted(0, 0, 0)(path, reply);
    });
    await store.sql(
      `insert into search_indices (number, name, version, model, generation, state, uuid)
       values (1, 'index', 1, 'model', 1, 'serving', 'uuid')`,
    );
    const job = expunging({
      database: store.database,
      cluster,
      owner: randomUUID(),
      ledger: { async *follow() {} },
      indices: { operations: async () => null, refresh: async () => undefined },
      log: { info: nothing, warn: nothing, error: nothing },
    });
    const seen: number[] = [];
    for (let day = 0; day < 3; day += 1) {
      await job.work(new AbortController().signal);
      await job.work(new AbortController().signal);
      seen.push(merges);
      await store.sql("update leases set until = now() - interval '23 hours 1 minute' where name like '% done'");
    }
    // The first day begins with the first look.
    expect(seen).toEqual([0, 1, 2]);
  } finally {
    await store.close();
  }
});
