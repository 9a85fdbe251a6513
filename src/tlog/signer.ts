import { toHex } from '../verifier/bytes.js';
import type { VerifierKey } from '../verifier/note.js';
import { formatCheckpoint, formatNote, type NoteSigner, signNote } from './note-writer.js';
import type { Objections } from './objections.js';
import type { LastSigned, SigningRecord, StoredRecord } from './turn.js';

/** Why a log is not signed. */
type RefusalReason =
  | 'keys missing'
  | 'keys unusable'
  | 'wrong keys'
  | 'store behind'
  | 'witness objects'
  | 'turn elsewhere'
  | 'signer silent';

/** The sentences for readers who do not run the service: nothing about its files. */
const publicly: Readonly<Record<RefusalReason, string>> = {
  'keys missing': 'The transparency log is not signed: this process does not have its signing keys.',
  'keys unusable': 'The transparency log is not signed: the files of its signing keys cannot be used here.',
  'wrong keys': 'The transparency log is not signed: the signing keys here are not those of this log.',
  'store behind':
    'The transparency log is not signed: this store does not contain what was signed last. If that is lost permanently, its operator ends the log: counterfoil log succeed',
  'turn elsewhere': 'The transparency log is not signed: the process that may sign it does not run.',
  'signer silent': 'The transparency log is signed by another process, which has not answered. Ask again.',
  'witness objects':
    'The transparency log is not signed: a witness has signed more of it, or something else, than this store has.',
};

/** The store or the keys are not those that the last checkpoint was signed with. The message says what to do. */
export class RefusesToSign extends Error {
  override name = 'RefusesToSign';
  readonly publicly: string;

  constructor(
    readonly reason: RefusalReason,
    message: string,
  ) {
    super(message);
    this.publicly = publicly[reason];
  }
}

/** A key that may sign checkpoints once its leaf is in the log. */
export interface SigningKey {
  readonly signer: NoteSigner;
  /** Canonical JSON, as it is in the log. */
  readonly leaf: string;
}

/** A key that signs no more, according to the key file. */
interface EndedKey {
  readonly reason: 'retired' | 'disowned';
  readonly key: VerifierKey;
}

/** The contents of a key file: the log's name, the keys in use, oldest first, and those that have ended. */
export interface FoundKeys {
  readonly origin: string;
  readonly keys: readonly SigningKey[];
  readonly ended: readonly EndedKey[];
  /** The leaf that says which log this one follows, as canonical JSON; null for the first log of an installation. */
  readonly succession: string | null;
}

/** Keys and record of a signer, kept outside of the store so that a restored backup of the store does not restore them. */
export interface KeyStore {
  /** Where it is, for messages. */
  readonly place: string;
  /** Null where there are none yet. */
  read(): FoundKeys | null;
  /** Makes a first key. @throws when there are keys already, also when another process has made them just now */
  create(): void;
  /** Null where nothing was recorded for this log. */
  record(): StoredRecord | null;
  /** Durable when it returns. A crash leaves the record before, or this one. */
  write(record: SigningRecord): void;
  /** 32 unpredictable bytes in lowercase hex. */
  newTurn(): string;
  /** Does the work while no other process, and nothing else in this one, changes the record. Work must not call it again. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
  readonly objections: Objections;
}

/** The log as the signer sees it. */
interface SignedTree {
  readonly size: number;
  readonly root: Uint8Array;
  /** The root that the store has for its first `size` leaves. */
  rootAt(size: number): Promise<Uint8Array>;
}

/**
 * The keys, by whose leaves the log must be extended before it is signed with them. The first key is made here, for a
 * log that has none.
 * @throws RefusesToSign when the log has keys and the key store has none: a new key would be a new log
 */
export function foundKeys(store: KeyStore, logSize: number): FoundKeys {
  if (logSize === 0 && !store.read()) store.create();
  const found = store.read();
  if (found) return found;
  throw new RefusesToSign(
    'keys missing',
    `The transparency log has ${logSize} leaves and its signing keys are not in ${store.place}. Put their backup there.`,
  );
}

/**
 * Signs a checkpoint with all of `keys`.
 * @returns the signed note
 * @throws RefusesToSign
 */
export function signedNote(
  store: Pick<KeyStore, 'place' | 'read'>,
  keys: readonly SigningKey[],
  { size, root }: Pick<SignedTree, 'size' | 'root'>,
): string {
  const origin = store.read()?.origin;
  if (origin === undefined || keys.length === 0)
    throw new RefusesToSign('keys missing', `No key in ${store.place} may sign the log yet.`);
  const text = formatCheckpoint({ origin, size, root, extensions: [] });
  const signatures = keys.map(({ signer }) => signNote(text, signer));
  return new TextDecoder().decode(formatNote({ text, signatures }));
}

/**
 * Whether the log contains what was signed last.
 * @param place where the keys are, for the sentence
 * @returns null when it does, or a sentence that says what to do
 */
export async function faultOfStore(
  place: string,
  last: LastSigned | null,
  { size, rootAt }: Pick<SignedTree, 'size' | 'rootAt'>,
): Promise<string | null> {
  if (!last || last.size === 0) return null;
  if (last.size > size) return behind(last, `has only ${size} leaves`, place);
  return toHex(await rootAt(last.size)) === last.root ? null : behind(last, 'has another root at that size', place);
}

const behind = (last: LastSigned, fault: string, place: string): string =>
  `A checkpoint of ${last.size} leaves was signed with the keys in ${place}, and the log in this store ${fault}. ` +
  'Restore a store that is not older than that checkpoint. If it is lost permanently, stop every process and end the log: counterfoil log succeed';
