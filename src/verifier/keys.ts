import type { LogLeaf } from './bundle.js';
import { fromHex, toUtf8 } from './bytes.js';
import { canonical, readCanonical } from './canonical.js';
import { time } from './entry.js';
import type { Json } from './json.js';
import { faultOfLeaf, type Log } from './log.js';
import { isSignature, type VerifierKey, verifierKey } from './note-key.js';
import { exactBytes, list, object, text } from './shape.js';
import { attempt, Unreadable } from './unreadable.js';

/** A signing key as the log has it: a leaf that was there before the key first signed. */
export interface LoggedKey {
  readonly key: VerifierKey;
  /** RFC 3339, as the log says. */
  readonly notBefore: string;
  readonly endorsements: readonly Endorsement[];
  /** What an endorsement signs. */
  readonly message: Uint8Array;
}

/** An earlier key's signature (Ed25519, 64 bytes) over a later one. */
interface Endorsement {
  readonly keyId: string;
  readonly signature: Uint8Array;
}

const maxEndorsements = 16;

/** @throws Unreadable for bytes that are no key leaf of version 1 in canonical form */
export function readKeyLeaf(bytes: Uint8Array): LoggedKey {
  const leaf = readCanonical(bytes);
  const names = ['algorithm', 'endorsements', 'name', 'not_before', 'public_key', 'type', 'v'];
  const { endorsements, ...endorsed } = object(leaf, 'the key leaf', names);
  if (endorsed.type !== 'key' || endorsed.v !== 1)
    throw new Unreadable('the key leaf is not of type key and version 1');
  if (endorsed.algorithm !== 'ed25519') throw new Unreadable('the key leaf is not of an ed25519 key');
  const publicKey = exactBytes(endorsed.public_key, 'its public key', 32);
  return {
    key: verifierKey(text(endorsed.name, 'its name'), 'ed25519', publicKey),
    notBefore: time(endorsed.not_before, 'its not_before'),
    endorsements: list(endorsements, 'its endorsements', maxEndorsements, readEndorsement),
    message: toUtf8(`counterfoil-key/1\n${canonical(endorsed)}`),
  };
}

function readEndorsement(value: Json, what: string): Endorsement {
  const { key_id, signature } = object(value, what, ['key_id', 'signature']);
  const keyId = text(key_id, `the key id of ${what}`);
  if (fromHex(keyId).length !== 4) throw new Unreadable(`the key id of ${what} does not have 4 bytes`);
  return { keyId, signature: exactBytes(signature, `the signature of ${what}`, 64) };
}

/** @returns the keys that are in the log, or a sentence about the first that is not, or is no key of it */
export function loggedKeys(leaves: readonly LogLeaf[], log: Log): readonly LoggedKey[] | string {
  const keys: LoggedKey[] = [];
  let last = -1;
  for (const leaf of leaves) {
    const where = `the signing key at leaf ${leaf.index} of the log`;
    if (leaf.index <= last) return `${where} is not behind the one before it`;
    const fault = faultOfLeaf(leaf, log);
    if (fault !== null) return `${where} is not there: ${fault}`;
    const read = attempt(() => readKeyLeaf(leaf.leaf));
    if (typeof read === 'string') return `${where} cannot be read: ${read}`;
    if (read.key.name !== log.origin) return `${where} is a key of another log`;
    keys.push(read);
    last = leaf.index;
  }
  return keys;
}

/**
 * The reader's keys, and those of the log that one of them endorses, or one that is endorsed so: whoever trusts a key
 * trusts its successors. Endorsements by other keys say nothing.
 * @returns a sentence when an endorsement by a trusted key is wrong
 */
export function trustedKeys(
  given: readonly VerifierKey[],
  logged: readonly LoggedKey[],
): readonly VerifierKey[] | string {
  const trusted = [...given];
  for (const { key, endorsements, message } of logged) {
    if (trusted.some((one) => one.type === key.type && one.name === key.name && one.id === key.id)) continue;
    for (const { keyId, signature } of endorsements) {
      const endorsers = trusted.filter(({ type, name, id }) => type === 'ed25519' && name === key.name && id === keyId);
      if (endorsers.length === 0) continue;
      if (!endorsers.some((endorser) => isSignature(signature, message, endorser))) {
        return `the endorsement of key ${key.id} by key ${keyId} is wrong`;
      }
      trusted.push(key);
      break;
    }
  }
  return trusted;
}
