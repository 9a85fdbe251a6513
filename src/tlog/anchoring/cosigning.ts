import { checkpointOf, latestCheckpoint, logState } from '../../../projections/log/queries.js';
import type { Database } from '../../database/database.js';
import { type Note, type NoteSignature, parseNote } from '../../verifier/note.js';
import { formatNote } from '../note-writer.js';
import { type RecordInLog, whileLogMoves } from '../record.js';
import type { KeyStore } from '../signer.js';
import { consistencyProof } from '../tree.js';
import { logTiles } from '../tree-store.js';
import { type Shown, type Witness, WitnessObjects } from './sources.js';
import { type Outcome, reasonOf, type Step } from './steps.js';

export interface Cosigning {
  readonly database: Database;
  readonly record: RecordInLog;
  readonly witnesses: readonly Witness[];
  readonly keys: Pick<KeyStore, 'record' | 'objections'>;
}

/**
 * Shows the newest checkpoint to the witnesses that have not signed it, all at once, and adds what they sign to it. What they
 * hold against it is kept, and nothing is signed from then on.
 */
export async function cosignNewest(parts: Cosigning): Promise<Outcome> {
  const { database, witnesses } = parts;
  const newest = await database.read(latestCheckpoint);
  if (!newest) return { done: [], failure: null };
  const { size } = newest;
  const note = read(newest.note);
  const shown: Shown = { note, size, proofFrom: (from) => proofBetween(database, from, size) };
  const missing = witnesses.filter(({ key }) => !note.signatures.some((line) => isOf(line, key.name, key.id)));
  const answers = await Promise.allSettled(missing.map((witness) => witness.cosign(shown)));
  const lines = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  const [failure = null] = answers.flatMap((answer) => (answer.status === 'rejected' ? [reasonOf(answer.reason)] : []));
  for (const [at, answer] of answers.entries()) {
    const witness = missing[at]?.key.name;
    if (witness === undefined || answer.status === 'fulfilled') continue;
    if (answer.reason instanceof WitnessObjects) await keepObjection(parts, witness, size, answer.reason);
  }
  return { done: await whileLogMoves(() => addTo(parts, size, lines)), failure };
}

/**
 * The names of the witnesses that have signed the newest checkpoint and nothing larger.
 * @throws WitnessObjects when one of them has signed more than it, or something else
 */
export async function confirmingWitnesses({
  database,
  witnesses,
}: Pick<Cosigning, 'database' | 'witnesses'>): Promise<readonly string[]> {
  const newest = await database.read(latestCheckpoint);
  if (!newest) return [];
  const { size } = newest;
  const shown: Shown = { note: read(newest.note), size, proofFrom: (from) => proofBetween(database, from, size) };
  const answers = await Promise.allSettled(witnesses.map((witness) => witness.cosign(shown)));
  for (const answer of answers) {
    if (answer.status === 'rejected' && answer.reason instanceof WitnessObjects) throw answer.reason;
  }
  return witnesses.flatMap(({ key }, at) => (answers[at]?.status === 'fulfilled' ? [key.name] : []));
}

/**
 * Unless another process has signed meanwhile what the witness describes: it was shown more then than this process had.
 */
async function keepObjection({ database, keys }: Cosigning, witness: string, shown: number, objection: WitnessObjects) {
  const { signed: size, message } = objection;
  const newest = await database.read(latestCheckpoint);
  const known = Math.max(newest?.size ?? 0, keys.record()?.size ?? 0);
  if (size > shown && size <= known) return;
  keys.objections.record({ witness, size, reason: `${message}.` });
}

async function addTo({ database, record }: Cosigning, size: number, lines: readonly NoteSignature[]): Promise<Step[]> {
  const [{ head }, row] = await database.read((tx) => Promise.all([logState(tx), checkpointOf(tx, size)]));
  if (!row) return [];
  const { text, signatures } = read(row.note);
  const added = lines.filter((line) => !signatures.some(({ name, keyId }) => isOf(line, name, keyId)));
  if (added.length === 0) return [];
  const note = Buffer.from(formatNote({ text, signatures: [...signatures, ...added] })).toString('utf8');
  const witnesses = added.map(({ name }) => name);
  await record(head, { kind: 'checkpoint.cosigned', body: { size, note, witnesses } });
  return ['cosigned'];
}

const read = (note: string): Note => parseNote(Buffer.from(note, 'utf8'));

const isOf = (line: NoteSignature, name: string, keyId: string): boolean => line.name === name && line.keyId === keyId;

const proofBetween = (database: Database, from: number, to: number): Promise<Uint8Array[]> =>
  database.read(async (tx) => consistencyProof(await logTiles(tx), from, to));
