import type { Logger } from 'pino';
import type { CheckpointRow } from '../../projections/log/queries.js';
import type { World } from '../base/world.js';
import type { Database } from '../database/database.js';
import { becomeHeir, handOver } from '../tlog/hand-over.js';
import type { TransparencyLog } from '../tlog/log.js';
import { whileLogMoves } from '../tlog/record.js';
import { RefusesToSign } from '../tlog/signer.js';
import { elsewhere, isElsewhere, renew, type SigningParts, standing } from '../tlog/signing.js';
import {
  askForSignature,
  isAnswered,
  type Notices,
  notices,
  removeRequests,
  runningHeir,
  showHeir,
  withdrawHeir,
} from '../tlog/waiting.js';
import { createLease, sinceHeld } from './lease.js';
import type { Job } from './loop.js';
import { othersRun } from './presence.js';

/** How often a process looks whether others wait for a signature, or the turn has moved. */
const lookMs = 200;
/** How often it does while no other process is known, and behind an error. One that has just started waits for its first signature. */
const aloneMs = 1000;
/** How often it looks at everything, and shows that it is running. */
const showMs = 5000;
const leaseMs = 15_000;
/** How long a caller waits for the signer in another process, and how often it looks. */
const patienceMs = 3000;
const askMs = 40;

interface SigningJobParts {
  readonly database: Database;
  readonly world: World;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  readonly transparencyLog: TransparencyLog;
  readonly signing: SigningParts;
  /** See `createLease`. */
  readonly owner: string;
  /** Takes the turn over where a witness confirms the newest checkpoint. @param goneMs for which the signer was not seen */
  takeOver(goneMs: number): Promise<boolean>;
}

/** The part of a process in the question who signs the log. */
interface SigningTogether {
  /** As of the log; where another process may sign, that one is asked. */
  readonly transparencyLog: TransparencyLog;
  readonly job: Job;
}

/**
 * Processes with copies of the keys on one store: the one whose directory has the turn signs for all. Every other one leaves a row
 * when it needs a signature, and shows that it is ready to be given the turn, which a process does when it stops.
 */
export function createSigning(parts: SigningJobParts): SigningTogether {
  const { database, world, signing, transparencyLog, owner } = parts;
  // It gives no right. It says that a process is running that may sign, or that knows more of the log than the store.
  const lease = createLease(database, 'signing', owner, leaseMs);

  async function ask(): Promise<CheckpointRow | undefined> {
    if (!(await isSignerThere(database))) throw elsewhere(signing.keys.place);
    const id = world.nonce();
    await database.transaction((tx) => askForSignature(tx, id));
    for (let waited = 0; waited < patienceMs; waited += askMs) {
      await world.sleep(askMs);
      if (await database.read((tx) => isAnswered(tx, id))) return transparencyLog.latest();
    }
    await database.transaction((tx) => removeRequests(tx, [id]));
    throw new RefusesToSign('signer silent', 'The process that may sign the log has not answered. See its log.');
  }

  return {
    transparencyLog: {
      ...transparencyLog,
      checkpoint: () =>
        transparencyLog.checkpoint().catch((error: unknown) => {
          if (isElsewhere(error)) return ask();
          throw error;
        }),
      refusal: async () => (await transparencyLog.refusal()) ?? (await absence(parts)),
    },
    job: { name: 'signing', napMs: lookMs, pauseMs: aloneMs, lease, ...createWatch(parts, lease) },
  };
}

const isSignerThere = async (database: Database): Promise<boolean> =>
  ((await database.read((tx) => sinceHeld(tx, 'signing'))) ?? 0) < 0;

/** Why there is no signer, where this process is none. Before there are keys, the first checkpoint makes them. */
async function absence({ database, signing }: SigningJobParts): Promise<RefusesToSign | null> {
  if (signing.keys.read() === null || (await standing(signing)) !== 'without') return null;
  return (await isSignerThere(database)) ? null : elsewhere(signing.keys.place);
}

function createWatch(parts: SigningJobParts, lease: ReturnType<typeof createLease>): Pick<Job, 'work' | 'ended'> {
  const { database, world, log, signing, transparencyLog, owner } = parts;
  let hasBegun = false;
  let seen: Pick<Notices, 'newest'> = { newest: null };
  let shownAt = Number.NEGATIVE_INFINITY;
  let isAlone = false;
  let signs = false;
  let heir: string | null = null;

  /** Looks which of the two this process is now, and shows it. */
  async function look(): Promise<void> {
    signs = (await standing(signing)) !== 'without';
    if (signs) {
      heir = null;
      await lease.take();
      return;
    }
    heir = await becomeHeir(signing);
    if (heir !== null) await database.transaction((tx) => showHeir(tx, heir ?? ''));
    const gone = await database.read((tx) => sinceHeld(tx, 'signing'));
    if (gone !== null && gone > 0 && (await parts.takeOver(gone))) log.warn('the right to sign the log was taken over');
  }

  return {
    async work(stopping) {
      if (!hasBegun) {
        if (signing.keys.read() === null) return false;
        await whileLogMoves(() => renew(signing)).catch(ignoreElsewhere);
        hasBegun = true;
      } else if (isAlone) {
        await world.sleep(aloneMs - lookMs, stopping);
        if (stopping.aborted) return false;
      }
      const [found, others] = await database.readEach((tx) => Promise.all([notices(tx), othersRun(tx, owner)]));
      isAlone = !others;
      const now = performance.now();
      if (now - shownAt > showMs || found.newest !== seen.newest) {
        signs = false;
        if (signing.keys.read() === null) return false;
        seen = found;
        shownAt = now;
        try {
          await look();
        } catch (error) {
          // The store lacks what this directory knows to be signed, so no process may take over without a person's decision.
          if (error instanceof RefusesToSign && error.reason === 'store behind') await lease.take();
          throw error;
        }
      }
      if (!signs || found.requests.length === 0) return false;
      await transparencyLog.checkpoint();
      await database.transaction((tx) => removeRequests(tx, found.requests));
      return true;
    },
    async ended() {
      const given = heir;
      if (given !== null) await database.transaction((tx) => withdrawHeir(tx, given));
      if (signing.keys.read() === null) return;
      const isGiven = await handOver(signing, () => database.read(runningHeir)).catch((error: unknown) => {
        if (!isElsewhere(error)) log.warn({ err: error }, 'the right to sign the log was not given to another process');
        return false;
      });
      if (isGiven) log.info('the right to sign the log was given to another process');
    },
  };
}

function ignoreElsewhere(error: unknown): false {
  if (isElsewhere(error)) return false;
  throw error;
}
