import { createSignatureKeys } from '../adapters/signature-keys.js';
import { createRequestKeys } from '../api/request-keys.js';
import { createOperators } from '../api/service/operators.js';
import type {
  ForAccess,
  ForMemories,
  ForReading,
  ForReceipts,
  ForService,
  ForWriting,
  Services,
} from '../api/services.js';
import { packageVersion } from '../base/version.js';
import type { World } from '../base/world.js';
import { createAttestationChecks, knownKeysReader } from '../commands/check-attestations.js';
import type { People } from '../commands/people.js';
import { createProofs } from '../commands/proofs.js';
import { createRecordSpans } from '../commands/record-spans.js';
import type { Run } from '../commands/run.js';
import { createSubmitTasks } from '../commands/submit-tasks.js';
import type { Vault } from '../commands/vault.js';
import { createReadTarget } from '../commands/webhooks.js';
import type { Database } from '../database/database.js';
import { createCursors } from '../domain/cursor.js';
import { createChallenges } from '../domain/identity/challenge.js';
import { createPublicTags } from '../domain/public-tags.js';
import { createKafkaSecrets } from '../domain/secrets.js';
import { createSentDigest } from '../domain/task/submitted.js';
import type { Config } from '../settings/config.js';
import type { wireReaders } from './readers.js';
import type { SharedSecret } from './start/secrets.js';
import { originOf } from './start/store.js';

interface Core {
  readonly world: World;
  readonly database: Database;
  readonly secret: SharedSecret;
  readonly readList: ForReading['readList'];
  readonly run: Run;
  readonly vault: Vault;
  readonly people: People;
}

/** The members that other parts of the wiring have made. */
interface Made {
  readonly readers: ReturnType<typeof wireReaders>['readers'];
  readonly writing: Pick<ForWriting, 'wakeDeliveries'>;
  readonly memories: Omit<ForMemories, 'redact' | 'imports'>;
  readonly receipts: Pick<ForReceipts, 'prove' | 'logFiles'>;
  readonly access: Omit<ForAccess, 'people' | 'operators' | 'kafkaSecrets' | 'proofs'>;
  readonly service: Omit<ForService, 'baseUrl' | 'origin' | 'terminalGating' | 'anchoring' | 'version'>;
}

/** The services of the operations, group by group. */
export async function wireServices(config: Config, core: Core, made: Made): Promise<Services> {
  const { world, database, secret, readList, run, vault, people } = core;
  const { readEach: read, transaction } = database;
  const { largeAnswers, readJson, redact, imports, ...readers } = made.readers;
  return {
    reading: { read, readList, vault, cursors: createCursors(await secret('cursors')), now: world.now, largeAnswers },
    writing: {
      ...made.writing,
      world,
      run,
      transaction,
      requestKeys: createRequestKeys(await secret('requests')),
      readJson,
      readTarget: createReadTarget({ allowPrivate: config.allowPrivateUrls }),
    },
    memories: { ...made.memories, redact, imports },
    receipts: { ...made.receipts, ...(await wireReceipts(core, readers)) },
    access: {
      ...made.access,
      people,
      operators: createOperators(config.operators),
      kafkaSecrets: createKafkaSecrets(await secret('kafka')),
      // Every process on the store takes the challenges that another one has issued.
      proofs: createProofs({ database, world, challenges: createChallenges(await secret('challenges'), world.random) }),
    },
    service: {
      ...made.service,
      baseUrl: config.baseUrl,
      origin: originOf(config),
      terminalGating: config.terminalGating,
      anchoring: { bitcoin: config.calendars.length > 0, ethereum: config.ethereum !== undefined },
      version: packageVersion(),
    },
  };
}

type Readers = Omit<Made['readers'], 'largeAnswers' | 'readJson' | 'redact' | 'imports'>;

/** The members that take task receipts and spans, and check bundles. */
async function wireReceipts(
  { world, database, secret }: Pick<Core, 'world' | 'database' | 'secret'>,
  readers: Readers,
): Promise<Omit<ForReceipts, keyof Made['receipts']>> {
  const { readEach: read, transaction } = database;
  const tags = createPublicTags(await secret('installation'));
  const sentDigest = createSentDigest(await secret('tasks'));
  const submit = createSubmitTasks({ ...readers, world, tags, sentDigest });
  return {
    ...readers,
    tags,
    sentDigest,
    recordSpans: createRecordSpans({ world, read, transaction, submit }),
    checkAttestations: createAttestationChecks(knownKeysReader(read), createSignatureKeys()),
  };
}
