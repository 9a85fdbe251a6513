import { refusedCopies } from '../../../projections/search/copies/copies.js';
import { storedIndices } from '../../../projections/search/copies/indices.js';
import { progressOf, unconfirmedErasures } from '../../../projections/search/copies/progress.js';
import { clusterProblem } from '../../adapters/elasticsearch/check.js';
import type { EngineHealth } from '../../adapters/gauges/engines.js';
import { lagOf } from '../../ledger/positions.js';
import type { ElasticsearchSetting } from '../../settings/engines.js';
import type { CopyingParts } from './copying.js';
import { unconfirmedSentence } from './expunging.js';

const none: EngineHealth['lags'] = new Map();

/** The longest time that a look at the cluster takes. */
const lookMs = 800;

/** The state of Elasticsearch and of the copies in it, for metrics and readiness. */
export async function elasticsearchHealth(
  { database, cluster }: CopyingParts,
  { fallback }: Pick<ElasticsearchSetting, 'fallback'>,
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
