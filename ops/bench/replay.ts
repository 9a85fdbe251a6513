import { lexicalEmbedder } from '../../src/adapters/embeddings/lexical.js';
import { readEntries } from '../../src/ledger/entries.js';
import { fsck } from '../../src/maintenance/fsck.js';
import { rebuild } from '../../src/maintenance/rebuild.js';
import { rebuildables } from '../../src/maintenance/rebuildable.js';
import { readConfig } from '../../src/settings/config.js';
import { openStore } from '../../src/wiring/start/store.js';
import { load } from './load.js';
import { machineLine, table } from './machine.js';
import { measureUpgrade } from './prepared.js';
import { startService, temporaryDirectory, untilSettled } from './service.js';
import { randomStream, sentence } from './words.js';

/** Every read model rebuilt, and everything checked. The baseline is reading the entries of the ledger and nothing else. */
export async function benchReplay(count: number, env: Readonly<Record<string, string>>): Promise<void> {
  const store = temporaryDirectory();
  try {
    const service = await startService(store.path, 8195, env);
    const random = randomStream(5);
    await load(service, 32, count, (send, i) =>
      send('POST', '/v1/memories', { content: `${i} ${sentence(random, 8, 24)}`, source: `talk ${i >> 5}` }),
    );
    await untilSettled(service);
    await service.stop();
    const config = readConfig({ DATA_DIR: store.path, LOG_LEVEL: 'error', ...env });
    const database = await openStore(config);
    const [chain] = await database.read((tx) =>
      tx.query<{ id: string; n: number }>('select chain::text as id, head_seq as n from chains order by head_seq desc'),
    );
    const entries = chain?.n ?? 0;
    const timed = async (work: () => Promise<unknown>) => {
      const from = performance.now();
      await work();
      return entries / ((performance.now() - from) / 1000);
    };
    const baseline = await timed(async () => {
      for (let seq = 0; seq < entries; seq += 1000)
        await database.read((tx) => readEntries(tx, chain?.id ?? '', seq, 1000));
    });
    const rows: (string | number)[][] = [[machineLine()], [], ['work', 'entries', 'per second', 'ratio']];
    const row = (name: string, perSecond: number) =>
      rows.push([name, entries, perSecond.toFixed(0), (perSecond / baseline).toFixed(2)]);
    row('reading entries (baseline)', baseline);
    const models = rebuildables(lexicalEmbedder());
    for (const model of models) {
      row(`replay ${model.name}`, await timed(() => rebuild(database, model, { onProgress: () => undefined })));
    }
    row('fsck of everything', await timed(() => fsck(database, models, { onProgress: () => undefined })));
    const upgrade = await measureUpgrade(database, models);
    await database.close();
    console.log(table(rows));
    const header = [
      [],
      [`upgrade of ${entries} entries in which all read models but the search index changed`, 'seconds'],
    ];
    console.log(table([...header, ...upgrade.map(([name, took]) => [name, took.toFixed(2)])]));
  } finally {
    store.remove();
  }
}
