import type { Logger } from 'pino';
import { calendarClient } from '../adapters/opentimestamps.js';
import type { Outside } from '../adapters/outside.js';
import { witnessClient } from '../adapters/witness.js';
import type { World } from '../base/world.js';
import { createProve } from '../commands/prove.js';
import { recordInLog } from '../commands/record-in-log.js';
import type { Run } from '../commands/run.js';
import type { Vault } from '../commands/vault.js';
import type { Database } from '../database/database.js';
import type { Config } from '../settings/config.js';
import { confirmingWitnesses } from '../tlog/anchoring/cosigning.js';
import type { Timestamping } from '../tlog/anchoring/timestamps.js';
import { createLogFiles } from '../tlog/files.js';
import { takeOver, toTakeOver } from '../tlog/hand-over.js';
import { logHealth } from '../tlog/health.js';
import { createTransparencyLog, signingParts } from '../tlog/log.js';
import type { RecordInLog } from '../tlog/record.js';
import type { KeyStore } from '../tlog/signer.js';
import type { SigningParts } from '../tlog/signing.js';
import { mainChain } from '../verifier/bitcoin.js';
import { createAnchoring } from '../workers/anchoring.js';
import { createWorker } from '../workers/loop.js';
import { createSigning } from '../workers/signing.js';
import { openHeaders } from './start/open-headers.js';

interface LogParts {
  readonly world: World;
  readonly log: Logger;
  readonly run: Run;
  readonly vault: Vault;
  readonly keys: KeyStore;
  readonly database: Database;
  readonly background: Database;
  /** See `createLease`. */
  readonly owner: string;
  readonly outside: Outside;
}

/** The parts that make receipts provable without trust in this service: the log, its files, the bundles, the anchoring. */
export async function wireTransparencyLog(config: Config, parts: LogParts) {
  const { world, log, run, vault, keys, database, background, owner, outside } = parts;
  const witnesses = config.witnesses.map((one) => witnessClient(one, undefined, outside.ask));
  const record = recordInLog(run, world);
  // Not in the background: a caller may wait for a proof, and none of its transactions keeps other work waiting for long.
  const own = createTransparencyLog({ database, record, keys });
  const signing = signingParts({ database, record, keys });
  const together = createSigning({
    database,
    world,
    log,
    owner,
    signing,
    transparencyLog: own,
    takeOver: (goneMs) => takeOverConfirmed({ database, witnesses }, signing, goneMs),
  });
  const { transparencyLog } = together;
  const refusal = await transparencyLog.refusal();
  if (refusal) log.error({ reason: refusal.message }, 'the transparency log is not signed');
  const anchoring = createAnchoring({
    database: background,
    log,
    transparencyLog,
    timestamping: await wireTimestamping(config, background, record, parts),
    cosigning: { database: background, record, keys, witnesses },
    intervalMs: config.anchorIntervalMs,
    owner,
  });
  return {
    logFiles: createLogFiles(database.read),
    prove: createProve(database, transparencyLog, vault, (error) =>
      log.error({ err: error }, 'no checkpoint was signed'),
    ),
    anchoring: anchoring.job,
    // No other process has an embedded store, so there is none to share the signing with.
    signing: config.databaseUrl === undefined ? null : createWorker({ world, log }, together.job),
    checkpoint: transparencyLog.checkpoint,
    logHealth: () => logHealth(database, world, anchoring.failing(), transparencyLog),
  };
}

/** After a kill its directory mostly comes back: a minute is long for a restart. */
const comesBackMs = 60_000;

/** Takes the turn over when the signer is gone for long and a witness says that the store has all that was signed. */
async function takeOverConfirmed(
  cosigning: Parameters<typeof confirmingWitnesses>[0],
  signing: SigningParts,
  goneMs: number,
): Promise<boolean> {
  if (goneMs < comesBackMs || cosigning.witnesses.length === 0) return false;
  const found = await toTakeOver(signing);
  if (found === null || (await confirmingWitnesses(cosigning)).length === 0) return false;
  return takeOver(signing, found);
}

async function wireTimestamping(
  { calendars, bitcoinHeaders }: Config,
  database: Database,
  record: RecordInLog,
  { world, outside }: Pick<LogParts, 'world' | 'outside'>,
): Promise<Timestamping | null> {
  if (calendars.length === 0) return null;
  return {
    database,
    record,
    world,
    calendars: calendarClient({ calendars, random: world.random, ask: outside.ask }),
    // A third of them may be down, or lie, and what the rest has promised is still fulfilled.
    least: Math.ceil((2 * calendars.length) / 3),
    headers: bitcoinHeaders === undefined ? null : await openHeaders(bitcoinHeaders, outside.ask),
    easiest: mainChain,
  };
}
