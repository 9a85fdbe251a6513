import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { openEmbedder } from '../adapters/embeddings/open.js';
import { succeedSigningKeys } from '../adapters/succeeding-keys.js';
import { witnessClient } from '../adapters/witness.js';
import { realWorld } from '../base/world.js';
import { recordInLog } from '../commands/record-in-log.js';
import type { OpenedDatabase } from '../database/database.js';
import { prepareModels } from '../maintenance/prepare-models.js';
import { rebuildables } from '../maintenance/rebuildable.js';
import type { Config } from '../settings/config.js';
import type { KeyStore } from '../tlog/signer.js';
import { type NewLog, type Plan, planSuccession } from '../tlog/succession/plan.js';
import { succeed } from '../tlog/succession/succeed.js';
import { newestNote } from '../tlog/succession/whole-log.js';
import { formatVerifierKey } from '../verifier/note.js';
import { openLedger } from '../wiring/start/ledger.js';
import { openKeys } from '../wiring/start/store.js';
import { type Confirm, confirmOnTerminal } from './confirm.js';
import { askWitnesses, knownToAuditors, knownToRecords, type WitnessWord } from './known-checkpoints.js';
import { requireAlone } from './require-alone.js';
import { readSettings } from './settings.js';
import { CannotStart, openStoreOf } from './start-faults.js';
import { printable, printableLine, type Terminal, terminal } from './terminal.js';

export interface SucceedOptions {
  /** Other directories with the keys of this log and a record of what was signed. */
  readonly keys: readonly string[];
  /** Files that auditors have stored. */
  readonly state: readonly string[];
  /** Do it without a question. */
  readonly yes?: boolean;
}

interface SucceedTools extends Pick<Terminal, 'out' | 'err'> {
  readonly confirm: Confirm;
}

/**
 * Ends a log whose store has lost leaves that a signed checkpoint covers, and begins the log that follows it. The exit code is 0, 1
 * when nothing is lost or the person says no, or 2 when it cannot run. An interrupted command is completed by another one.
 */
export async function logSucceed(
  options: SucceedOptions,
  tools: SucceedTools = { ...terminal, confirm: confirmOnTerminal },
): Promise<number> {
  try {
    const config = readSettings();
    if (config.databaseUrl === undefined && !existsSync(join(config.dataDir, 'pgdata'))) {
      throw new CannotStart(`There is no store in ${config.dataDir}.`);
    }
    const database = await openStoreOf(config);
    try {
      await requireAlone(database);
      return await onStore(config, database, options, tools);
    } finally {
      await database.close();
    }
  } catch (error) {
    tools.err(printableLine(`counterfoil: ${error instanceof Error ? error.message : String(error)}`));
    return 2;
  }
}

const silent = pino({ level: 'silent' });

async function onStore(
  config: Config,
  database: OpenedDatabase,
  options: SucceedOptions,
  tools: SucceedTools,
): Promise<number> {
  // A store that was restored may be one of an earlier version. Meanwhile no service starts on it.
  return database.alone(async () => {
    await prepareModels(database, rebuildables(openEmbedder(config.embeddings)), silent);
    const { run, requireHome, close } = await openLedger(config, database, realWorld, silent);
    try {
      await requireHome();
      const keys = openKeys(config, realWorld);
      const found = await findPlan(config, database, keys, options);
      if (found.plan.step === 'nothing is lost') {
        tools.out(
          'Nothing is lost: the store has every leaf that a known checkpoint covers. The log continues, and has no successor.',
        );
        return 1;
      }
      tools.out(printable([...described(found.plan), ...found.warnings].join('\n')));
      if (!options.yes && !(await agrees(tools))) return 1;
      const size = await succeed(
        {
          database,
          keys,
          record: recordInLog(run, realWorld),
          replaceKeys: (next) => succeedSigningKeys(keys.place, next, realWorld.now()),
        },
        found.plan,
      );
      tools.out(printable(ended(keys, size).join('\n')));
      return 0;
    } finally {
      await close();
    }
  });
}

async function findPlan(config: Config, database: OpenedDatabase, keys: KeyStore, options: SucceedOptions) {
  const found = keys.read();
  const known = [
    ...(found ? knownToRecords(options.keys, found.origin) : []),
    ...(found ? knownToAuditors(options.state, found.origin, keysOf(found)) : []),
  ];
  const plan = await planSuccession({ database, keys }, known);
  const witnesses = config.witnesses.map((one) => witnessClient(one));
  const words = await askWitnesses(witnesses, keys.objections.open(), await newestNote(database));
  if (plan.step === 'keys' || plan.step === 'nothing is lost') requireRoots(plan, words);
  return { plan, warnings: words.flatMap(silentWitness) };
}

const keysOf = ({ keys, ended }: NonNullable<ReturnType<KeyStore['read']>>) => [
  ...keys.map(({ signer }) => signer.key),
  ...ended.map(({ key }) => key),
];

/** The succession names the largest checkpoint that was signed, with its root. @throws CannotStart when only its size is known */
function requireRoots(plan: Plan, words: readonly WitnessWord[]): void {
  const known = plan.step === 'keys' ? plan.next.from.size : 0;
  const more = words.find(({ size }) => size !== null && size > known);
  if (!more) return;
  throw new CannotStart(
    `The witness ${more.witness} has signed ${more.size} leaves of this log, and no record here has that checkpoint. A witness does not say its root. ` +
      'Give the state of an auditor who has seen it with --state, or another directory of keys with --keys.',
  );
}

const silentWitness = ({ witness, silent }: WitnessWord): readonly string[] =>
  silent === null ? [] : [`The witness ${witness} could not be asked whether it has signed more: ${silent}.`];

function described(plan: Plan): readonly string[] {
  switch (plan.step) {
    case 'keys':
      return loss(plan.next);
    case 'entry':
      return ['A succession was interrupted: its key and its text are made, and the store does not have them yet.'];
    default:
      return ['A succession was interrupted: the new log has begun, and its first checkpoint is not signed yet.'];
  }
}

const loss = ({ from, kept, origin }: NewLog): readonly string[] => [
  `A checkpoint of ${from.size} leaves was signed, and of these this store has the first ${kept.size} as they were signed last.`,
  `${from.size - kept.size} leaves are lost. If a newer store or backup exists anywhere, restore that one instead.`,
  `Otherwise the log ends here. A new log begins in this store, ${origin}, with a key of its own, and says what was lost.`,
  'Everyone who follows the log will see it and has to accept the new key. This cannot be undone.',
];

async function agrees({ out, confirm }: SucceedTools): Promise<boolean> {
  const answer = await confirm('End the log and begin the new one?');
  if (answer === 'yes') return true;
  out(answer === 'no' ? 'Nothing was changed.' : 'Nothing was changed: without a terminal, give --yes.');
  return false;
}

function ended(keys: KeyStore, size: number): readonly string[] {
  const found = keys.read();
  const key = found?.keys[0]?.signer.key;
  return [
    `The log ${found?.origin} has begun. Its first checkpoint has ${size} leaves, with a head of every workspace.`,
    ...(key ? ['Publish its key where readers find the old one:', '', `  ${formatVerifierKey(key)}`, ''] : []),
    `Copy signing-keys.json from ${keys.place} to the other directories of keys. Then start the service.`,
  ];
}
