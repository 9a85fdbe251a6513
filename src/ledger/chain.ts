import { createHmac, hash as digest } from 'node:crypto';
import { chainKind } from '../../contracts/chains.js';
import { catalogue, currentBody, isEntryKind } from '../../contracts/entries/catalogue.js';
import type { Entry, Unlinked } from '../../contracts/entries/entry.js';
import { atOnce, type Steps } from '../base/steps.js';
import { canonical } from '../verifier/canonical.js';
import { readMembers } from './canonical-reader.js';

/** Where a chain ends: the number of its entries and the hash of the last one (of the genesis while there is none). */
export interface Head {
  readonly seq: number;
  readonly hash: string;
  /** When the last entry was recorded; unset while there is none. */
  readonly recordedAt?: string | undefined;
}

/** An entry with its place in the chain, the bytes that were hashed, and the hash itself in lowercase hex. */
export interface Linked {
  readonly entry: Entry;
  readonly bytes: Uint8Array;
  readonly hash: string;
}

/** Entries are hashed here behind their prefix: a hash object for each would take as long again. It grows when it must. */
let leaf = Buffer.alloc(4096);

/**
 * SHA-256(0x00 ‖ bytes) in lowercase hex. The leading zero makes the same value the leaf hash of an RFC 6962 tree,
 * so one hash serves as receipt hash, tree leaf and link to the entry before.
 */
export function entryHash(bytes: Uint8Array): string {
  if (leaf.length <= bytes.length) leaf = Buffer.alloc(2 * bytes.length);
  // Its first byte stays zero.
  leaf.set(bytes, 1);
  return digest('sha256', leaf.subarray(0, bytes.length + 1), 'hex');
}

/** HMAC-SHA-256(salt, text as UTF-8) in lowercase hex: binds an entry to a text that the entry must not contain. */
export function commit(salt: Uint8Array, text: string): string {
  return createHmac('sha256', salt).update(text, 'utf8').digest('hex');
}

/**
 * What the first entry of a workspace points back to. It fixes the workspace's id and the time of its making, so no
 * two chains start alike and the first entry cannot be moved to another workspace.
 */
export function genesisBytes(workspaceId: string, createdAt: string): Uint8Array {
  return canonicalBytes({ v: 1, kind: 'genesis', workspace_id: workspaceId, created_at: createdAt });
}

export function genesisHead(genesis: Uint8Array): Head {
  return { seq: 0, hash: entryHash(genesis) };
}

/**
 * Puts decided drafts behind `head`, in their order: each gets the next seq and the hash of the one before it.
 * @throws when a draft is not what the catalogue says of its kind: what is in a chain can never be corrected
 */
export function link(workspaceId: string, head: Head, drafts: readonly Unlinked[]): Linked[] {
  return atOnce(linking(workspaceId, head, drafts));
}

/** The same, one entry in each step. */
export function* linking(workspaceId: string, head: Head, drafts: readonly Unlinked[]): Steps<Linked[]> {
  const linked: Linked[] = [];
  let { seq, hash } = head;
  for (const draft of drafts) {
    requireKind(workspaceId, draft);
    seq += 1;
    const entry: Entry = { v: 1, workspace_id: workspaceId, seq, ...draft, prev_hash: hash };
    const bytes = canonicalBytes(entry);
    hash = entryHash(bytes);
    linked.push({ entry, bytes, hash });
    yield;
  }
  return linked;
}

function requireKind(chain: string, { kind, body }: Unlinked): void {
  const row = catalogue[kind];
  if (row.chain !== chainKind(chain))
    throw new Error(`an entry of the kind ${kind} does not belong in the chain ${chain}`);
  const read = row.body.safeParse(body);
  if (!read.success) throw new Error(`the body of a ${kind} is not what the catalogue says: ${read.error.message}`);
}

/** A stored entry as it is read back: only what the store keeps, nothing taken on trust from other columns. */
export interface StoredLink {
  readonly seq: number;
  readonly bytes: Uint8Array;
  readonly hash: string;
}

/** Two texts of bytes are then the same only if the bytes are. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Checks that `stored` follows `previous` in the chain of `workspaceId`: its bytes hash to its hash, are canonical, and
 * name this workspace, the next seq and the hash before.
 * @returns the new head, or a sentence that names the first fault.
 */
export function follow(workspaceId: string, previous: Head, stored: StoredLink): Head | string {
  const where = `entry ${previous.seq + 1} of workspace ${workspaceId}`;
  if (stored.seq !== previous.seq + 1) return `${where} is missing: the next one in the store is entry ${stored.seq}`;
  if (entryHash(stored.bytes) !== stored.hash) return `${where}: its bytes do not hash to its stored hash`;
  const members = readMembers(textOf(stored.bytes));
  if (!members) return `${where}: its bytes are not in canonical form`;
  const [workspace, seq, hash] = ['workspace_id', 'seq', 'prev_hash'].map((key) => members.get(key));
  if (workspace !== `"${workspaceId}"`) return `${where}: it belongs to workspace ${workspace}`;
  if (seq !== String(stored.seq)) return `${where}: it says it is entry ${seq}`;
  if (hash !== `"${previous.hash}"`) return `${where}: it does not point to the entry before it`;
  return { seq: stored.seq, hash: stored.hash };
}

/** The empty text for bytes that are not UTF-8: it is not canonical either. */
function textOf(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    return '';
  }
}

/**
 * The canonical text (RFC 8785) as UTF-8: the bytes that are hashed and stored.
 * @throws NotCanonical as `canonical` does
 */
export function canonicalBytes(value: unknown): Uint8Array {
  // A TextEncoder takes twice as long for texts as short as entries.
  return Buffer.from(canonical(value), 'utf8');
}

/**
 * Reads the text of a stored entry as an entry of today: a body that an earlier version of the service has written gets
 * today's shape. What is hashed, shown and proved are the stored bytes, never the result of this.
 * @throws when the kind is one that this version does not know
 */
export function readEntry(text: string): Entry {
  return entryOfToday(JSON.parse(text));
}

/** The same for an entry that was parsed together with others; it is changed in place. @throws as `readEntry` */
export function entryOfToday(parsed: Entry): Entry {
  const kind: string = parsed.kind;
  if (!isEntryKind(kind)) {
    const { seq, workspace_id } = parsed;
    throw new Error(`entry ${seq} of ${workspace_id} has the kind ${kind}, which this version does not know`);
  }
  return catalogue[kind].upcasts.length === 0 ? parsed : Object.assign(parsed, { body: currentBody(parsed) });
}
