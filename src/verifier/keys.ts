import { fromHex, toUtf8 } from './bytes.js';
import { canonical, readCanonical } from './canonical.js';
import type { Json } from './json.js';
import { type VerifierKey, verifierKey } from './note.js';
import { anyObject, count, exactBytes, list, object, text, time } from './shape.js';
import { Unreadable } from './unreadable.js';

/** A signing key as its leaf in the log describes it. The leaf was in the log before the key first signed. */
export interface LoggedKey {
  readonly type: 'key';
  readonly key: VerifierKey;
  /** A time in RFC 3339, as the leaf says. */
  readonly notBefore: string;
  readonly endorsements: readonly Endorsement[];
  /** The bytes that an endorsement signs. */
  readonly message: Uint8Array;
}

/**
 * The end of a key as its leaf in the log describes it. `retired`: the key signs no checkpoint of more than `after`
 * leaves. `disowned`: the leaf of the key is in the log by mistake; the key signs nothing and endorses nothing.
 */
export interface KeyEnd {
  readonly type: 'key_end';
  readonly reason: 'retired' | 'disowned';
  /** The name of the log that ends the key. A disowned key may have another name. */
  readonly log: string;
  readonly key: VerifierKey;
  readonly after: number;
  readonly endorsements: readonly Endorsement[];
  readonly message: Uint8Array;
}

/** An event in the history of the log's keys. */
export type KeyEvent = LoggedKey | KeyEnd;

/** A signature (Ed25519, 64 bytes) of another key of the log, which confirms the leaf. */
export interface Endorsement {
  readonly keyId: string;
  readonly signature: Uint8Array;
}

const maxEndorsements = 16;

/** @throws Unreadable for bytes that are not a key leaf of version 1 in canonical form */
export function readKeyLeaf(bytes: Uint8Array): LoggedKey {
  const leaf = readCanonical(bytes);
  const names = ['algorithm', 'endorsements', 'name', 'not_before', 'public_key', 'type', 'v'];
  const { endorsements, ...endorsed } = object(leaf, 'the key leaf', names);
  if (endorsed.type !== 'key' || endorsed.v !== 1)
    throw new Unreadable('the key leaf is not of type key and version 1');
  if (endorsed.algorithm !== 'ed25519') throw new Unreadable('the key leaf is not of an ed25519 key');
  const publicKey = exactBytes(endorsed.public_key, 'its public key', 32);
  return {
    type: 'key',
    key: verifierKey(text(endorsed.name, 'its name'), 'ed25519', publicKey),
    notBefore: time(endorsed.not_before, 'its not_before'),
    endorsements: readEndorsements(endorsements),
    message: toUtf8(`counterfoil-key/1\n${canonical(endorsed)}`),
  };
}

/** @throws Unreadable for bytes that are not a leaf of version 1, in canonical form, that ends a key */
export function readKeyEndLeaf(bytes: Uint8Array): KeyEnd {
  const leaf = readCanonical(bytes);
  const names = ['after', 'algorithm', 'endorsements', 'log', 'name', 'public_key', 'reason', 'type', 'v'];
  const { endorsements, ...endorsed } = object(leaf, 'the leaf that ends a key', names);
  if (endorsed.type !== 'key_end' || endorsed.v !== 1)
    throw new Unreadable('the leaf that ends a key is not of type key_end and version 1');
  if (endorsed.algorithm !== 'ed25519') throw new Unreadable('the leaf ends a key that is not an ed25519 key');
  const { reason } = endorsed;
  if (reason !== 'retired' && reason !== 'disowned') throw new Unreadable('the leaf ends a key for an unknown reason');
  const after = count(endorsed.after, 'its after');
  if (reason === 'disowned' && after !== 0) throw new Unreadable('the leaf disowns a key after some leaves');
  return {
    type: 'key_end',
    reason,
    after,
    log: text(endorsed.log, 'its log'),
    key: verifierKey(text(endorsed.name, 'its name'), 'ed25519', exactBytes(endorsed.public_key, 'its public key', 32)),
    endorsements: readEndorsements(endorsements),
    message: toUtf8(`counterfoil-key-end/1\n${canonical(endorsed)}`),
  };
}

/** @throws Unreadable for bytes that are neither of the two leaves about keys */
export function readKeyEvent(bytes: Uint8Array): KeyEvent {
  const { type } = anyObject(readCanonical(bytes), 'the key leaf');
  return type === 'key_end' ? readKeyEndLeaf(bytes) : readKeyLeaf(bytes);
}

/** At most 16 of them. @throws Unreadable */
export function readEndorsements(value: Json | undefined): Endorsement[] {
  return list(value, 'its endorsements', maxEndorsements, readEndorsement);
}

function readEndorsement(value: Json, what: string): Endorsement {
  const { key_id, signature } = object(value, what, ['key_id', 'signature']);
  const keyId = text(key_id, `the key id of ${what}`);
  if (fromHex(keyId).length !== 4) throw new Unreadable(`the key id of ${what} does not have 4 bytes`);
  return { keyId, signature: exactBytes(signature, `the signature of ${what}`, 64) };
}

/** Whether two keys are the same key. Name and id are not enough, because several keys may share them. */
export function isSameKey(one: VerifierKey, other: VerifierKey): boolean {
  return one.type === other.type && one.name === other.name && one.publicKey.join() === other.publicKey.join();
}
