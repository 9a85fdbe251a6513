import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import { refusedCopies } from '../../projections/search/copies/copies.js';
import { storedIndices } from '../../projections/search/copies/indices.js';
import { progressOf, unconfirmedErasures } from '../../projections/search/copies/progress.js';
import { checkCluster, clusterProblem } from '../adapters/elasticsearch/check.js';
import { openCluster } from '../adapters/elasticsearch/client.js';
import { indicesOf } from '../adapters/elasticsearch/indices.js';
import { indexNames } from '../adapters/elasticsearch/mapping.js';
import type { EngineHealth } from '../adapters/metrics.js';
import type { World } from '../base/world.js';
import type { Database } from '../database/database.js';
import type { Ledger } from '../ledger/ledger.js';
import { lagOf } from '../ledger/positions.js';
import type { Config } from '../settings/config.js';
import type { ElasticsearchSetting } from '../settings/engines.js';
import { copying } from '../workers/elasticsearch/copying.js';
import { createErased, type Erased } from '../workers/elasticsearch/erased.js';
import { expunging, unconfirmedSentence } from '../workers/elasticsearch/expunging.js';
import { type KeepingParts, keepingIndices } from '../workers/elasticsearch/keeping.js';
import { createWorker, type Job, type Worker } from '../workers/loop.js';
import type { Engine } from './engines.js';
import { sharedSecret } from './start/bootstrap.js';

export interface ElasticsearchParts {
  readonly database: Database;
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
  const secret = await sharedSecret(parts.database, parts.world, 'installation');
  return {
    ...parts,
    cluster,
    indices: indicesOf(cluster, setting),
    store: createHash('sha256').update('counterfoil elasticsearch ').update(secret).digest('hex').slice(0, 32),
    names: indexNames(setting.indexPrefix),
  };
}

export interface WiredElasticsearch {
  /** None where the settings name no cluster. */
  readonly engines: readonly Engine[];
  readonly erased: Erased;
}

/** @throws WrongSetting when the cluster refuses the credentials, or the address is not one of Elasticsearch */
export async function wireElasticsearch(
  { elasticsearch: setting }: Config,
  parts: ElasticsearchParts,
): Promise<WiredElasticsearch> {
  if (!setting) return { engines: [], erased: async () => true };
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
        health: () => healthOf(opened, setting),
        close: () => opened.cluster.close(),
      },
    ],
    erased: createErased(parts.database, parts.world, wake),
  };
}

const none: EngineHealth['lags'] = new Map();

/** The longest time that a look at the cluster takes. */
const lookMs = 800;

async function healthOf(
  { database, cluster }: KeepingParts,
  { fallback }: ElasticsearchSetting,
): Promise<EngineHealth> {
  const problem = await clusterProblem(cluster, lookMs);
  const isUp = problem === null;
  const answering = fallback ? 'The database answers searches.' : 'Searches are refused.';
  const problems = isUp ? [] : [`${problem} ${answering}`];
  try {
    const known = await database.read(async (tx) => {
      const indices = await storedIndices(tx);
      const lags = new Map<string, { entries: number; seconds: number }>();
      for (const index of indices.filter(({ state }) => state !== 'retired')) {
        if (index.state === 'serving') lags.set('elasticsearch', await lagOf(tx, `elasticsearch/${index.number}`));
        else problems.push(sentenceOf(index.name, await progressOf(tx, index)));
      }
      return { lags, unconfirmed: await unconfirmedErasures(tx), refused: await refusedCopies(tx) };
    });
    const { lags, unconfirmed, refused } = known;
    const seconds = lags.get('elasticsearch')?.seconds ?? 0;
    if (seconds > longLag)
      problems.push(
        `Elasticsearch is ${Math.round(seconds)} seconds behind. ${fallback ? 'The database answers searches.' : 'Searches lack what is missing there.'}`,
      );
    if (unconfirmed > 0) problems.push(`${unconfirmedSentence(unconfirmed)}.`);
    if (refused) problems.push(refusedSentence(refused));
    return { engine: 'elasticsearch', isUp, problems, lags, unconfirmedErasures: unconfirmed };
  } catch {
    return { engine: 'elasticsearch', isUp, problems, lags: none };
  }
}

/** A lag in seconds that the operator should know of. */
const longLag = 60;

const refusedSentence = ({ count, fault }: { readonly count: number; readonly fault: string }): string =>
  `Elasticsearch refuses ${count} ${count === 1 ? 'memory' : 'memories'} (${fault}).`;

const sentenceOf = (name: string, { done, total }: { readonly done: number; readonly total: number }): string =>
  `The index ${name} in Elasticsearch is being built: ${done} of ${total} entries.`;
