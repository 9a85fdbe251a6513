import { existsSync } from 'node:fs';
import { readLastSigned } from '../adapters/signing-record.js';
import { type Witness, WitnessObjects } from '../tlog/anchoring/sources.js';
import type { Objection } from '../tlog/objections.js';
import type { LastSigned } from '../tlog/turn.js';
import { toHex, toUtf8 } from '../verifier/bytes.js';
import { type Log, readLog } from '../verifier/checkpoint.js';
import { parseNote, type VerifierKey, verifyNote } from '../verifier/note.js';
import { readState } from './audit-state.js';
import { CannotStart } from './start-faults.js';

/** The records of other directories with the keys of this log. @throws CannotStart for a directory without a record */
export function knownToRecords(directories: readonly string[], origin: string): readonly LastSigned[] {
  return directories.map((directory) => {
    const last = existsSync(directory) ? readLastSigned(directory, origin) : null;
    if (last) return last;
    throw new CannotStart(
      `There is no record of a checkpoint in ${directory}. Give directories that are copies of DATA_DIR/keys.`,
    );
  });
}

/**
 * The last checkpoints that auditors have seen, from the files of `counterfoil audit --state`.
 * @param keys of the log, which must have signed them: a file of another origin is no reason to end a log
 * @throws CannotStart
 */
export function knownToAuditors(
  files: readonly string[],
  origin: string,
  keys: readonly VerifierKey[],
): readonly LastSigned[] {
  return files.map((file) => {
    const state = readState(file);
    if (!state) throw new CannotStart(`There is no file ${file}.`);
    const log: Log = readLog(state.note);
    if (log.origin !== origin)
      throw new CannotStart(`${file} is the state of an audit of ${log.origin}, and not of ${origin}.`);
    const signed = verifyNote(log.note, keys);
    if (typeof signed === 'string') {
      throw new CannotStart(`The checkpoint in ${file} is not signed by a key of this log that is here: ${signed}.`);
    }
    return { size: log.size, root: toHex(log.root) };
  });
}

/** The answer of a witness about the largest checkpoint that it has signed; the size is null where that is not more than was shown. */
export interface WitnessWord {
  readonly witness: string;
  readonly size: number | null;
  /** Why it could not be asked; null when it has answered. */
  readonly silent: string | null;
}

/**
 * Asks witnesses whether they have signed more than the newest checkpoint of the store. A witness says how many leaves, and not
 * their root.
 */
export async function askWitnesses(
  witnesses: readonly Witness[],
  objections: readonly Objection[],
  note: string | undefined,
): Promise<readonly WitnessWord[]> {
  const known = objections.map(({ witness, size }) => ({ witness, size, silent: null }));
  if (note === undefined) return known;
  const shown = parseNote(toUtf8(note));
  const { size } = readLog(note);
  const asked = witnesses.map(async ({ key, cosign }): Promise<WitnessWord> => {
    try {
      await cosign({ note: shown, size, proofFrom: async () => [] });
      return { witness: key.name, size: null, silent: null };
    } catch (error) {
      if (error instanceof WitnessObjects) return { witness: key.name, size: error.signed, silent: null };
      return { witness: key.name, size: null, silent: error instanceof Error ? error.message : String(error) };
    }
  });
  return [...known, ...(await Promise.all(asked))];
}
