import { createHmac } from 'node:crypto';
import { canonicalBytes } from '../ledger/chain.js';

/** A workspace's head as the transparency log shows it: without the workspace. All but the size in lowercase hex. */
interface HeadLeaf {
  readonly tag: string;
  /** Entries of the workspace. */
  readonly size: number;
  /** Root of the tree over the hashes of its first `size` entries. */
  readonly root: string;
  /** Hash of entry number `size`. */
  readonly headHash: string;
}

/** Says that a key was there before: its signature, in base64, over `endorsedBytes` of the new key. */
interface Endorsement {
  readonly key_id: string;
  readonly signature: string;
}

/** A key that will sign checkpoints. */
export interface KeyLeaf {
  /** The log's origin, which is the name of each of its keys. */
  readonly name: string;
  /** 32 bytes in base64. */
  readonly publicKey: string;
  /** RFC 3339. */
  readonly notBefore: string;
  readonly endorsements: readonly Endorsement[];
}

/** Says that a key signs no more: it was retired, or its leaf came into the log by mistake. */
export interface KeyEndLeaf {
  readonly reason: 'retired' | 'disowned';
  /** The log's origin. */
  readonly log: string;
  /** Of the key: its name, and 32 bytes in base64. */
  readonly name: string;
  readonly publicKey: string;
  /** It signs no checkpoint of more leaves; 0 for a key that is disowned. */
  readonly after: number;
  readonly endorsements: readonly Endorsement[];
}

/** The end of a log that has lost leaves, and the first key of the log that follows. Roots are in lowercase hex. */
export interface SuccessionLeaf {
  readonly from: { readonly origin: string; readonly size: number; readonly root: string };
  readonly kept: { readonly size: number; readonly root: string };
  /** The public key has 32 bytes in base64. */
  readonly to: { readonly origin: string; readonly publicKey: string };
  readonly endorsements: readonly Endorsement[];
}

/** HMAC-SHA-256(tagKey, workspace id) in lowercase hex: stands for a workspace whose id only its members know. */
export function tagOf(tagKey: Uint8Array, workspaceId: string): string {
  return createHmac('sha256', tagKey).update(workspaceId, 'utf8').digest('hex');
}

/** The leaf as canonical JSON (RFC 8785); its UTF-8 bytes are what the log hashes. */
export function headLeaf({ tag, size, root, headHash }: HeadLeaf): string {
  return text({ v: 1, type: 'head', tag, size, root, head_hash: headHash });
}

export function keyLeaf(key: KeyLeaf): string {
  return text({ ...keyMembers(key), endorsements: key.endorsements.map((one) => ({ ...one })) });
}

/** The bytes that an earlier key signs to endorse this one. Their first line separates them from anything else that it signs. */
export function endorsedBytes(key: KeyLeaf): Uint8Array {
  return Buffer.from(`counterfoil-key/1\n${text(keyMembers(key))}`, 'utf8');
}

export function keyEndLeaf(end: KeyEndLeaf): string {
  return text({ ...keyEndMembers(end), endorsements: end.endorsements.map((one) => ({ ...one })) });
}

/** The bytes that another key signs to say that this one has ended. */
export function endedBytes(end: KeyEndLeaf): Uint8Array {
  return Buffer.from(`counterfoil-key-end/1\n${text(keyEndMembers(end))}`, 'utf8');
}

export function successionLeaf(succession: SuccessionLeaf): string {
  const endorsements = succession.endorsements.map((one) => ({ ...one }));
  return text({ ...successionMembers(succession), endorsements });
}

/** The bytes that the keys of the ended log, and the first key of the new one, sign. */
export function succeededBytes(succession: SuccessionLeaf): Uint8Array {
  return Buffer.from(`counterfoil-succession/1\n${text(successionMembers(succession))}`, 'utf8');
}

const successionMembers = ({ from, kept, to }: SuccessionLeaf) => ({
  v: 1,
  type: 'succession',
  reason: 'lost',
  // Member by member: a record of the signer has secrets beside the size and the root.
  from: { origin: from.origin, size: from.size, root: from.root },
  kept: { size: kept.size, root: kept.root },
  to: { origin: to.origin, public_key: to.publicKey },
});

const keyEndMembers = ({ reason, log, name, publicKey, after }: KeyEndLeaf) => ({
  v: 1,
  type: 'key_end',
  algorithm: 'ed25519',
  reason,
  log,
  name,
  public_key: publicKey,
  after,
});

const keyMembers = ({ name, publicKey, notBefore }: KeyLeaf) => ({
  v: 1,
  type: 'key',
  algorithm: 'ed25519',
  name,
  public_key: publicKey,
  not_before: notBefore,
});

const text = (value: Parameters<typeof canonicalBytes>[0]): string =>
  Buffer.from(canonicalBytes(value)).toString('utf8');
