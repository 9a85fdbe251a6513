import { z } from 'zod';
import { operation } from '../operation.js';
import type { ServiceState } from './service-state.js';

const count = z.int().min(0);
const seconds = z.number();

const follower = z.object({
  follower: z.string(),
  lag_entries: count.describe('Entries of the ledger that it has not worked on yet.'),
  lag_seconds: seconds.describe('The age of the oldest of these entries.'),
});

const engine = z.object({
  engine: z.string().describe('Such as elasticsearch, kafka, eventstore, ethereum or embeddings.'),
  up: z.boolean().describe('Whether its last answer came in time.'),
  problems: z.array(z.string()),
  followers: z.array(follower),
  unconfirmed_erasures: count.nullable().describe('Deletions that it has not confirmed; null where it holds no texts.'),
  memories_without_vectors: count.nullable().describe('At most 10,000 are counted; null for other engines.'),
});

export const operationsState = z
  .object({
    status: z.enum(['ready', 'not_ready']),
    missing: z.array(z.string()).describe('As in /readyz.'),
    warnings: z.array(z.string()).describe('As in /readyz.'),
    versions: z.object({
      service: z.string(),
      node: z.string(),
      database: z.string().nullable().describe('The version of the PostgreSQL server, or of the embedded PostgreSQL.'),
    }),
    log: z
      .object({
        leaves: count,
        checkpoint_age_seconds: seconds
          .nullable()
          .describe('The time since the newest checkpoint was signed; null before the first one.'),
        unanchored_checkpoints: count.describe('Checkpoints for which no Bitcoin block is known.'),
        failing_steps: z.array(z.string()).describe('The steps of the anchoring whose last attempt has failed.'),
      })
      .nullable(),
    feeds: z
      .object({
        age_seconds: seconds.describe('The time since the moment that the public feeds are made of.'),
        receipts_waiting: count.describe('Public receipts that were recorded after that moment.'),
      })
      .nullable(),
    search_rebuild_memories: count
      .nullable()
      .describe('About how many memories a rebuild of the search index has not come to; null without a rebuild.'),
    engines: z
      .array(engine)
      .nullable()
      .describe('The engines besides the database that the settings name, with the followers that feed them.'),
  })
  .meta({
    id: 'Operations',
    description: 'The state of the service, as this process sees it. A part that does not answer in time is null.',
  });

type OperationsState = z.infer<typeof operationsState>;

export const operationsStateOperation = operation({
  method: 'GET',
  path: '/v1/operations',
  summary: 'The state of the service, for its operators',
  access: 'see operations',
  serving: { cacheControl: 'no-store' },
  answers: { 200: operationsState },
  refusals: ['admin_required'],
  documentation: {
    id: 'getOperations',
    description:
      'For operators: the people whose e-mail addresses the setting OPERATORS names, and without it the owners of the ' +
      'workspace that the first start made. Every other person gets 403 admin_required, and a key or a grant gets 403 ' +
      'user_session_required. The status is 200 also when the service is not ready.',
    answers: {
      200: {
        body: {
          status: 'ready',
          missing: [],
          warnings: [],
          versions: { service: '0.1.0', node: 'v22.11.0', database: '17.5' },
          log: { leaves: 4211, checkpoint_age_seconds: 214, unanchored_checkpoints: 3, failing_steps: [] },
          feeds: { age_seconds: 12.5, receipts_waiting: 0 },
          search_rebuild_memories: null,
          engines: [
            {
              engine: 'elasticsearch',
              up: true,
              problems: [],
              followers: [{ follower: 'elasticsearch', lag_entries: 2, lag_seconds: 0.4 }],
              unconfirmed_erasures: 0,
              memories_without_vectors: null,
            },
          ],
        },
      },
    },
  },
  async handle(_request, { service: { health, version } }) {
    const [missing, warnings, state] = await Promise.all([health.missing(), health.warnings(), health.state()]);
    const status = missing.length === 0 ? 'ready' : 'not_ready';
    return { status: 200, body: { status, missing: [...missing], warnings: [...warnings], ...shown(state, version) } };
  },
});

function shown(
  { log, feeds, searchLeft, engines, versions }: ServiceState,
  service: string,
): Omit<OperationsState, 'status' | 'missing' | 'warnings'> {
  return {
    versions: { service, ...versions },
    log: log && {
      leaves: log.leaves,
      checkpoint_age_seconds: log.checkpointAgeSeconds,
      unanchored_checkpoints: log.unanchored,
      failing_steps: [...log.failing].flatMap(([step, failing]) => (failing ? [step] : [])),
    },
    feeds: feeds && { age_seconds: feeds.ageSeconds, receipts_waiting: feeds.waiting },
    search_rebuild_memories: searchLeft,
    engines: engines?.map(shownEngine) ?? null,
  };
}

const shownEngine = ({ engine, isUp, problems, lags, ...more }: NonNullable<ServiceState['engines']>[number]) => ({
  engine,
  up: isUp,
  problems: [...problems],
  followers: Array.from(lags, ([follower, { entries, seconds }]) => ({
    follower,
    lag_entries: entries,
    lag_seconds: seconds,
  })),
  unconfirmed_erasures: more.unconfirmedErasures ?? null,
  memories_without_vectors: more.memoriesWithoutVectors ?? null,
});
