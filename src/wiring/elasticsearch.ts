import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import { checkCluster } from '../adapters/elasticsearch/check.js';
import { openCluster } from '../adapters/elasticsearch/client.js';
import { indicesOf } from '../adapters/elasticsearch/indices.js';
import { indexNames } from '../adapters/elasticsearch/mapping.js';
import type { World } from '../base/world.js';
import type { Database } from '../database/database.js';
import type { Ledger } from '../ledger/ledger.js';
import type { ElasticsearchSetting } from '../settings/engines.js';
import { copying } from '../workers/elasticsearch/copying.js';
import { createErased, type Erased } from '../workers/elasticsearch/erased.js';
import { expunging } from '../workers/elasticsearch/expunging.js';
import { elasticsearchHealth } from '../workers/elasticsearch/health.js';
import { type KeepingParts, keepingIndices } from '../workers/elasticsearch/keeping.js';
import { createWorker, type Job, type Worker } from '../workers/loop.js';
import type { Engine } from './engines.js';
import type { SharedSecret } from './start/secrets.js';

export interface ElasticsearchParts {
  readonly database: Database;
  readonly secret: SharedSecret;
  readonly ledger: Pick<Ledger, 'follow'>;
  readonly world: World;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly owner: string;
  readonly model: string;
}

/** The parts that write to Elasticsearch: for the workers, and for commands. */
export async function openElasticsearch(
  setting: ElasticsearchSetting,
  parts: ElasticsearchParts,
): Promise<KeepingParts> {
  const cluster = openCluster(setting);
  const { secret, ...known } = parts;
  const installation = await secret('installation');
  return {
    ...known,
    cluster,
    indices: indicesOf(cluster, setting),
    store: createHash('sha256').update('counterfoil elasticsearch ').update(installation).digest('hex').slice(0, 32),
    names: indexNames(setting.indexPrefix),
  };
}

export interface WiredElasticsearch {
  /** None where the settings name no cluster. */
  readonly engines: readonly Engine[];
  readonly erased: Erased;
}

/** @throws WrongSetting when the cluster refuses the credentials, or the address is not one of Elasticsearch */
export async function elasticsearchEngine(
  setting: ElasticsearchSetting,
  parts: ElasticsearchParts,
): Promise<WiredElasticsearch> {
  const opened = await openElasticsearch(setting, parts);
  try {
    await checkCluster(opened.cluster, setting.url);
  } catch (error) {
    await opened.cluster.close();
    throw error;
  }
  const worker = (job: (wake: () => void) => Job): Worker => {
    const made: Worker = createWorker(
      parts,
      job(() => made.wake()),
    );
    return made;
  };
  const serving = worker((wake) => copying(opened, 'serving', wake));
  const building = worker((wake) => copying(opened, 'building', wake));
  const workers = [serving, building, worker(() => keepingIndices(opened)), worker(() => expunging(opened))];
  const wake = () => {
    serving.wake();
    building.wake();
  };
  return {
    engines: [
      {
        workers: workers.map((one) => ['ingest', one] as const),
        health: () => elasticsearchHealth(opened, setting),
        close: () => opened.cluster.close(),
      },
    ],
    erased: createErased(parts.database, parts.world, wake),
  };
}
