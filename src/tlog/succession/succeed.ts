import { treeOfLog } from '../../../contracts/log.js';
import { logLeafHashes, logState } from '../../../projections/log/queries.js';
import { successorNumber } from '../../verifier/succession.js';
import { createTransparencyLog, type TransparencyLogParts } from '../log.js';
import { whileLogMoves } from '../record.js';
import { foundKeys } from '../signer.js';
import { growTree } from '../tree-store.js';
import type { EndedLog, NewLog, Plan } from './plan.js';

interface SuccessionParts extends TransparencyLogParts {
  /** Replaces the old keys by the new key and the succession, durably, and keeps a copy of the old ones. */
  replaceKeys(next: NewLog): void;
}

/**
 * Does what a plan has left to do. The steps, each of which is done or not after a crash:
 *
 * 1. The new key and the succession replace the old keys. The service does not start with them before the next step.
 * 2. One entry ends the old log in the store and begins the new one.
 * 3. Heads of all workspaces enter the new log, and its first checkpoint is signed. Before that no service starts, so no new entry
 * comes before the heads.
 * @returns the size of the first checkpoint
 */
export async function succeed(parts: SuccessionParts, plan: Plan): Promise<number> {
  if (plan.step === 'keys') parts.replaceKeys(plan.next);
  if (plan.step === 'keys' || plan.step === 'entry') await endLog(parts, plan.ended);
  const checkpoint = await createTransparencyLog(parts).checkpoint();
  // What witnesses hold against the old log is no objection to the new one.
  parts.keys.objections.dismiss();
  return checkpoint?.size ?? 0;
}

async function endLog({ database, record, keys }: SuccessionParts, ended: EndedLog): Promise<void> {
  // A restored store has heirs of the old log, and a turn that was given to one of them could not be used.
  await database.transaction((tx) => tx.query('truncate signing_heirs, signing_requests'));
  // Of a store that was copied at another moment the tiles may be behind the leaves that stay public.
  await growTree(database, treeOfLog(ended.log), ended.kept, logLeafHashes);
  const { origin, succession, keys: made } = foundKeys(keys, 1);
  const [first] = made;
  const log = successorNumber(origin)?.log;
  if (succession === null || first === undefined || log === undefined) throw new Error(`${origin} follows no log`);
  await whileLogMoves(async () => {
    const { head } = await database.read(logState);
    await record(head, { kind: 'log.succeeded', body: { log, key: first.leaf, leaf: succession, ended } });
  });
}
