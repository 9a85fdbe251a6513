import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { syncPath } from '../database/fsync.js';
import { type SuccessionLeaf, succeededBytes, successionLeaf } from '../tlog/leaves.js';
import type { NewLog } from '../tlog/succession/plan.js';
import { firstRecord } from '../tlog/turn.js';
import { toBase64, toUtf8 } from '../verifier/bytes.js';
import { isSameKey } from '../verifier/keys.js';
import type { VerifierKey } from '../verifier/note.js';
import { readSuccession } from '../verifier/succession.js';
import { newKey, pathOf, required, type StoredKey, signingKey, writeKeys } from './signing-keys.js';
import { appendRecord, newTurn } from './signing-record.js';

/** A succession has at most 16 endorsements, of which the last is that of the new key. */
const mostEndorsers = 15;

/**
 * Replaces the keys of a log that has ended by the first key of the log that follows, and keeps them in a file beside. After a crash the
 * directory has the old keys or the new one; the succession is not public before the store has it.
 */
export function succeedSigningKeys(directory: string, next: NewLog, now: Date): void {
  const stored = required(directory);
  const keyOf = (key: StoredKey): VerifierKey => signingKey(stored.origin, key).signer.key;
  const endorsers = stored.keys.filter((key) => !key.retired || next.inUse.some((one) => isSameKey(one, keyOf(key))));
  const key = newKey(next.origin, [], now);
  const succession = endorsed(
    {
      from: { origin: stored.origin, ...next.from },
      kept: next.kept,
      to: { origin: next.origin, publicKey: key.public_key },
    },
    [...endorsers.slice(-mostEndorsers).map((one) => signingKey(stored.origin, one)), signingKey(next.origin, key)],
  );
  keepOld(directory, next.ends);
  // A directory without a first record of its log does not sign it, and a copy of the new keys has none.
  appendRecord(directory, next.origin, firstRecord(newTurn()));
  writeKeys(directory, { format: stored.format, origin: next.origin, keys: [key], succession });
}

function endorsed(
  members: Omit<SuccessionLeaf, 'endorsements'>,
  signers: readonly ReturnType<typeof signingKey>[],
): string {
  const message = succeededBytes({ ...members, endorsements: [] });
  const endorsements = signers.map(({ signer }) => ({
    key_id: signer.key.id,
    signature: toBase64(signer.sign(message)),
  }));
  const leaf = successionLeaf({ ...members, endorsements });
  // It could never be taken back.
  readSuccession(toUtf8(leaf));
  return leaf;
}

/** The file of the keys of an earlier log, which sign nothing any more. */
const formerKeysPath = (directory: string, log: number): string => join(directory, `signing-keys.${log}.json`);

function keepOld(directory: string, log: number): void {
  const path = formerKeysPath(directory, log);
  // The copy has the mode of the key file, which only its owner can read.
  copyFileSync(pathOf(directory), path);
  syncPath(path);
}
