import { createPrivateKey, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  linkSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { syncPath } from '../database/fsync.js';
import { makePrivateDirectory } from '../database/private-directory.js';
import { endorsedBytes, type KeyLeaf, keyLeaf } from '../tlog/leaves.js';
import { type FoundKeys, type KeyStore, RefusesToSign, type SigningKey } from '../tlog/signer.js';
import { firstRecord } from '../tlog/turn.js';
import { type VerifierKey, verifierKey } from '../verifier/note.js';
import { objectionStore } from './objections.js';
import { appendRecord, KeyFileError, lockedDirectory, newTurn, readRecord } from './signing-record.js';

const base64 = z.string().regex(/^[A-Za-z0-9+/]+=*$/);
const keyFile = z.strictObject({
  format: z.literal('counterfoil-signing-keys/1'),
  origin: z.string().min(1),
  keys: z.array(
    z.strictObject({
      public_key: base64,
      private_key: base64,
      not_before: z.string(),
      endorsements: z.array(z.strictObject({ key_id: z.string(), signature: base64 })),
      retired: z.boolean(),
    }),
  ),
  /** Keys that are in the log by mistake. The member is absent if there was never one. */
  disowned: z.array(z.strictObject({ name: z.string().min(1), public_key: base64 })).optional(),
  /** The leaf that says which log this one follows. The member is absent in the first log of an installation. */
  succession: z.string().optional(),
});
type KeyFile = z.output<typeof keyFile>;
export type StoredKey = KeyFile['keys'][number];

export const pathOf = (directory: string): string => join(directory, 'signing-keys.json');

/** The keys and state of the signer in one directory. The origin is used for a log that has no name yet. */
export function keyStore(directory: string, origin: string, now: () => Date): KeyStore {
  const originOf = () => readFile(directory)?.origin ?? origin;
  let last: Promise<unknown> = Promise.resolve();
  return {
    place: directory,
    read: () => orRefuse(() => readSigningKeys(directory)),
    create: () => createSigningKeys(directory, origin, now()),
    record: () => orRefuse(() => readRecord(directory, originOf())),
    write: (record) => appendRecord(directory, originOf(), record),
    newTurn,
    exclusively(work) {
      const begun = last.then(() => lockedDirectory(directory, work));
      last = begun.catch(() => undefined);
      return begun;
    },
    objections: objectionStore(directory, now),
  };
}

/** A file that cannot be used prevents signing the log, and nothing else. */
function orRefuse<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof KeyFileError ? new RefusesToSign('keys unusable', error.message) : error;
  }
}

/** The content of the key file, or null if it does not exist. @throws KeyFileError */
export function readSigningKeys(directory: string): FoundKeys | null {
  const stored = readFile(directory);
  if (!stored) return null;
  const { origin, keys, disowned = [], succession = null } = stored;
  const publicKeyOf = (name: string, publicKey: string) =>
    verifierKey(name, 'ed25519', Buffer.from(publicKey, 'base64'));
  return {
    origin,
    succession,
    keys: keys.filter(({ retired }) => !retired).map((key) => signingKey(origin, key)),
    ended: [
      ...keys
        .filter(({ retired }) => retired)
        .map((key) => ({ reason: 'retired' as const, key: publicKeyOf(origin, key.public_key) })),
      ...disowned.map((key) => ({ reason: 'disowned' as const, key: publicKeyOf(key.name, key.public_key) })),
    ],
  };
}

/** A key of the file, in use or not. */
export interface ListedKey {
  /** The key id of signatures: 8 hex digits. */
  readonly id: string;
  /** RFC 3339. */
  readonly notBefore: string;
  readonly retired: boolean;
}

/** All keys, also retired ones, oldest first. @throws KeyFileError when there is no key file */
export function listSigningKeys(directory: string): ListedKey[] {
  const { origin, keys } = required(directory);
  return keys.map((key) => ({
    id: signingKey(origin, key).signer.key.id,
    notBefore: key.not_before,
    retired: key.retired,
  }));
}

/** Creates the key file with a first key. The origin is the permanent name of the log, even if its address changes later. */
export function createSigningKeys(directory: string, origin: string, now: Date): void {
  const keys: KeyFile = { format: 'counterfoil-signing-keys/1', origin, keys: [newKey(origin, [], now)] };
  const path = pathOf(directory);
  // Before the keys, because keys without a record begin no log.
  if (readRecord(directory, origin) === null) appendRecord(directory, origin, firstRecord(newTurn()));
  // A link does not replace an existing file: if two services start at once with one directory, only one creates the key.
  writeSafely(path, textOf(keys), (partial) => {
    try {
      linkSync(partial, path);
    } catch (error) {
      if (existsSync(path)) throw new KeyFileError(`${path} is there already.`);
      throw error;
    } finally {
      unlinkSync(partial);
    }
  });
}

/** Adds a key that every key in use endorses. It becomes a leaf of the log before it is first used. @returns its id */
export function addSigningKey(directory: string, now: Date): string {
  const stored = required(directory);
  const inUse = stored.keys.filter(({ retired }) => !retired);
  const key = newKey(stored.origin, inUse, now);
  writeKeys(directory, { ...stored, keys: [...stored.keys, key] });
  return signingKey(stored.origin, key).signer.key.id;
}

/** Retires a key: it signs nothing more. @throws KeyFileError when there is no such key, or no other key in use */
export function retireSigningKey(directory: string, id: string): void {
  const stored = required(directory);
  const idOf = (key: StoredKey) => signingKey(stored.origin, key).signer.key.id;
  const key = stored.keys.find((one) => !one.retired && idOf(one) === id);
  if (!key) throw new KeyFileError(`There is no key ${id} in use in ${pathOf(directory)}.`);
  if (stored.keys.filter(({ retired }) => !retired).length < 2) {
    throw new KeyFileError(`${id} is the only key in use. Add another one first: counterfoil keys add`);
  }
  writeKeys(directory, { ...stored, keys: stored.keys.map((one) => (one === key ? { ...one, retired: true } : one)) });
}

/**
 * Declares that a key in the log is not a key of the log. @throws KeyFileError for a key of this file, which can be
 * retired instead
 */
export function disownKey(directory: string, key: VerifierKey): void {
  const stored = required(directory);
  const disowned = { name: key.name, public_key: Buffer.from(key.publicKey).toString('base64') };
  if (key.name === stored.origin && stored.keys.some((one) => one.public_key === disowned.public_key)) {
    throw new KeyFileError(`${key.id} is a key of this service. To end it: counterfoil keys retire ${key.id}`);
  }
  writeKeys(directory, { ...stored, disowned: [...(stored.disowned ?? []), disowned] });
}

function readFile(directory: string): KeyFile | null {
  const path = pathOf(directory);
  if (!existsSync(path)) return null;
  if ((statSync(path).mode & 0o077) !== 0) {
    throw new KeyFileError(`${path} can be read by others. Make it yours alone: chmod 600 ${path}`);
  }
  try {
    return keyFile.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    throw new KeyFileError(`${path} is not a key file of this service. Put its backup back.`);
  }
}

export function required(directory: string): KeyFile {
  const stored = readFile(directory);
  if (!stored) throw new KeyFileError(`There is no ${pathOf(directory)}. The first start of the service makes it.`);
  return stored;
}

export function newKey(origin: string, endorsers: readonly StoredKey[], now: Date): StoredKey {
  const { privateKey } = generateKeyPairSync('ed25519');
  const { x = '', d = '' } = privateKey.export({ format: 'jwk' });
  const [publicKey, secret] = [x, d].map((part) => Buffer.from(part, 'base64url').toString('base64'));
  const key = { public_key: publicKey ?? '', private_key: secret ?? '', not_before: now.toISOString() };
  const message = endorsedBytes(leafOf(origin, { ...key, endorsements: [], retired: false }));
  const endorsements = endorsers.map((one) => {
    const { signer } = signingKey(origin, one);
    return { key_id: signer.key.id, signature: Buffer.from(signer.sign(message)).toString('base64') };
  });
  return { ...key, endorsements, retired: false };
}

function leafOf(name: string, key: StoredKey): KeyLeaf {
  return { name, publicKey: key.public_key, notBefore: key.not_before, endorsements: key.endorsements };
}

export function signingKey(origin: string, stored: StoredKey): SigningKey {
  const secret = privateKeyOf(stored);
  return {
    leaf: keyLeaf(leafOf(origin, stored)),
    signer: {
      key: verifierKey(origin, 'ed25519', Buffer.from(stored.public_key, 'base64')),
      sign: (message) => sign(null, message, secret),
    },
  };
}

function privateKeyOf({ public_key: x, private_key: d }: StoredKey): KeyObject {
  const url = (text: string) => Buffer.from(text, 'base64').toString('base64url');
  return createPrivateKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: url(x), d: url(d) } });
}

export function writeKeys(directory: string, keys: KeyFile): void {
  const path = pathOf(directory);
  writeSafely(path, textOf(keys), (partial) => renameSync(partial, path));
}

const textOf = (keys: KeyFile): string => `${JSON.stringify(keys, null, 2)}\n`;

/** A crash, or two processes that write at once, leave the old file or a new one, never a part of one. */
function writeSafely(path: string, text: string, putInPlace: (partial: string) => void): void {
  makePrivateDirectory(dirname(path));
  const partial = `${path}.${randomUUID()}.partial`;
  writeFileSync(partial, text, { mode: 0o600 });
  chmodSync(partial, 0o600);
  syncPath(partial);
  putInPlace(partial);
  syncPath(dirname(path));
}
