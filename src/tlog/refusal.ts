import { currentLog } from '../../projections/log/former.js';
import { checkpointOf, keyLeaves, logState } from '../../projections/log/queries.js';
import type { Database } from '../database/database.js';
import { toHex } from '../verifier/bytes.js';
import { faultOfKeys, historyOf } from './keys.js';
import { faultOfStore, foundKeys, type KeyStore, RefusesToSign } from './signer.js';
import { logRoot } from './tree-store.js';

interface SignerParts {
  readonly database: Database;
  readonly keys: KeyStore;
}

/** Why the log in this store must not be signed with the keys that there are, or null. Nothing is written to the log. */
export async function refusalToSign({ database, keys }: SignerParts): Promise<RefusesToSign | null> {
  try {
    return (
      (await faultOfKeyFile({ database, keys })) ?? (await faultOfHistory({ database, keys })) ?? faultOfWitnesses(keys)
    );
  } catch (error) {
    if (error instanceof RefusesToSign) return error;
    throw error;
  }
}

async function faultOfKeyFile({ database, keys }: SignerParts): Promise<RefusesToSign | null> {
  const { size, leaves } = await database.read(async (tx) => {
    const state = await logState(tx);
    return { size: state.size, leaves: await keyLeaves(tx, state.size) };
  });
  // The first key is made when the first checkpoint is. Only a succession begins a log that follows another one.
  if (size === 0) return keys.read()?.succession ? new RefusesToSign('wrong keys', unfinished(keys.place)) : null;
  const fault = faultOfKeys(keys.place, foundKeys(keys, size), historyOf(leaves));
  return fault === null ? null : new RefusesToSign('wrong keys', fault);
}

/** Whether the store has all that was signed last: one that was restored from an old backup has not. */
async function faultOfHistory({ database, keys }: SignerParts): Promise<RefusesToSign | null> {
  // Read first: what is signed meanwhile is in the log already.
  const last = keys.record();
  if (!last) return null;
  const { state, signed } = await database.read(async (tx) => ({
    state: await logState(tx),
    signed: await checkpointOf(tx, last.size),
  }));
  if (signed && toHex(signed.root) === last.root) return null;
  const fault = await faultOfStore(keys.place, last, {
    size: state.size,
    rootAt: (earlier) => logRoot(database, earlier),
  });
  return fault === null ? null : new RefusesToSign('store behind', fault);
}

const unfinished = (place: string): string =>
  `The signing keys in ${place} are of a log that follows another one, and the store does not have its beginning. To begin it: counterfoil log succeed`;

/** A log that has begun with a succession and has no checkpoint yet: a workspace's first head in it would come too late. */
export async function requireBegun(database: Database): Promise<void> {
  const { log, latest } = await database.read(async (tx) => ({ ...(await currentLog(tx)), ...(await logState(tx)) }));
  if (log === 1 || latest) return;
  throw new RefusesToSign(
    'wrong keys',
    'A succession of the log was interrupted before its first checkpoint. Nothing was written. Complete it: counterfoil log succeed',
  );
}

function faultOfWitnesses({ objections }: KeyStore): RefusesToSign | null {
  const [first] = objections.open();
  if (!first) return null;
  return new RefusesToSign(
    'witness objects',
    `${first.reason} That is evidence that this store and its last-signed.json were set back to an older state, and nothing is signed. ` +
      'Restore the newest store and keys. If the witness is wrong, counterfoil log resume. If what it has signed is lost permanently: counterfoil log succeed',
  );
}
