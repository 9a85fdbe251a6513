import { catalogue } from '../../contracts/entries/catalogue.js';
import type { Entry } from '../../contracts/entries/entry.js';
import { Refusal } from '../../contracts/errors.js';
import {
  type CheckpointRow,
  checkpointsOver,
  headCovering,
  keyLeaves,
  type LeafRow,
} from '../../projections/log/queries.js';
import type { ReceiptView } from '../../projections/receipts/queries.js';
import type { Database, Transaction } from '../database/database.js';
import { commit } from '../ledger/chain.js';
import { tagKeyOf, vaultRowOf } from '../ledger/entries.js';
import { entryHashes } from '../ledger/entry-hashes.js';
import type { TransparencyLog } from '../tlog/log.js';
import { RefusesToSign } from '../tlog/signer.js';
import { consistencyProof, inclusionProof } from '../tlog/tree.js';
import { logTiles, storedTiles } from '../tlog/tree-store.js';
import { bundleLimits } from '../verifier/bundle.js';
import { toUtf8 } from '../verifier/bytes.js';
import { isSameKey } from '../verifier/keys.js';
import { keyEventOf } from '../verifier/leaf.js';
import { type EthereumAnchor, provedOnEthereum } from './prove-on-ethereum.js';
import type { Vault } from './vault.js';

type Base64 = string;

interface Disclosed {
  readonly salt: Base64;
  readonly content: string | null;
  readonly metadata: string | null;
  readonly source: string | null;
  /** Of a search whose query was opened; other bundles have no such member. */
  readonly query?: string;
}

type Anchor = (
  | {
      readonly type: 'opentimestamps';
      readonly ots: Base64;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | EthereumAnchor
) &
  Later;

/** A checkpoint that was anchored instead of the bundle's own, and the proof that it extends the bundle's own. */
interface Later {
  readonly checkpoint?: string;
  readonly consistency?: readonly Base64[];
}

/** Everything that an auditor needs to check a receipt without trusting the service; see contracts/proof-bundle.v1.schema.json. */
export interface Bundle {
  readonly format: 'counterfoil-proof/1';
  readonly entry: Base64;
  readonly disclosed?: Disclosed;
  /** Why there is no place in the log, where the service knows. */
  readonly unplaced?: string;
  readonly inclusion?: readonly Base64[];
  readonly head?: {
    readonly leaf: Base64;
    readonly tag_key: Base64;
    readonly index: number;
    readonly inclusion: readonly Base64[];
  };
  readonly checkpoint?: string;
  readonly keys?: readonly { readonly leaf: Base64; readonly index: number; readonly inclusion: readonly Base64[] }[];
  readonly anchors?: readonly Anchor[];
}

interface Showing {
  /** Of a search, which the bundle then shows: the caller has it, and the store does not. */
  readonly query?: string;
  /** Whether the bundle shows the texts that the entry commits to. */
  readonly texts?: boolean;
}

export type Prove = (workspaceId: string, receipt: ReceiptView, showing?: Showing) => Promise<Bundle>;

const base64 = (bytes: Uint8Array): Base64 => Buffer.from(bytes).toString('base64');
const utf8 = (text: string): Base64 => Buffer.from(text, 'utf8').toString('base64');
const hashes = (proof: readonly Uint8Array[]): Base64[] => proof.map(base64);

/**
 * Makes proof bundles. A receipt that no checkpoint covers yet gets one at once, so that no caller has to wait for the next
 * round of anchoring; when the log cannot be signed, the bundle goes without.
 * @throws Refusal from the proof: internal_error when a text would be disclosed that its receipt does not commit to, invalid_query
 * when the receipt does not commit to the query
 */
export function createProve(
  database: Database,
  log: TransparencyLog,
  vault: Vault,
  onUnsigned: (error: unknown) => void,
): Prove {
  return async (workspaceId, receipt, { query, texts = true } = {}) => {
    // A wrong query is refused before anything is signed.
    if (query !== undefined) await database.read((tx) => withQuery(tx, vault, receipt, query));
    const covered = await database.read((tx) => covering(tx, workspaceId, receipt.seq));
    const refused = covered ? null : await log.checkpoint().then(() => null, whyUnsigned(onUnsigned));
    return database.read(async (tx) => {
      const entry = { format: 'counterfoil-proof/1' as const, entry: base64(receipt.bytes) };
      const disclosed = await (query !== undefined
        ? withQuery(tx, vault, receipt, query)
        : texts
          ? disclosedBy(tx, vault, receipt)
          : undefined);
      const place = await covering(tx, workspaceId, receipt.seq);
      const shown = disclosed ? { ...entry, disclosed } : entry;
      if (place) return { ...shown, ...(await proofOf(tx, workspaceId, receipt.seq, place)) };
      const unplaced = { ...shown, keys: [], anchors: [] };
      return refused === null ? unplaced : { ...unplaced, unplaced: refused };
    });
  };
}

/** @returns a function that says in the bundle why it is without a place in the log */
const whyUnsigned = (onUnsigned: (error: unknown) => void) => (error: unknown) => {
  onUnsigned(error);
  return error instanceof RefusesToSign ? error.publicly : 'The public log could not be signed just now. Ask again.';
};

interface Place {
  readonly head: LeafRow;
  readonly checkpoint: CheckpointRow;
  /** Of the first one that a block holds. */
  readonly anchored: CheckpointRow | undefined;
  /** The first checkpoint over the head whose anchor on Ethereum is proved. */
  readonly onEthereum: { readonly anchor: EthereumAnchor; readonly checkpoint: CheckpointRow } | undefined;
}

async function covering(tx: Transaction, workspaceId: string, seq: number): Promise<Place | undefined> {
  const head = await headCovering(tx, workspaceId, seq);
  if (!head) return undefined;
  const { first, anchored } = await checkpointsOver(tx, head.index);
  const onEthereum = await provedOnEthereum(tx, head.index);
  return first ? { head, checkpoint: first, anchored, onEthereum } : undefined;
}

/**
 * The texts that the entry commits to, while they exist. Only those of the kinds that disclose them: no caller may read
 * other rows of the vault.
 */
async function disclosedBy(tx: Transaction, vault: Vault, receipt: ReceiptView): Promise<Disclosed | undefined> {
  const entry: Entry = JSON.parse(Buffer.from(receipt.bytes).toString('utf8'));
  if (catalogue[entry.kind].discloses === 'nowhere') return undefined;
  const row = await genuineRow(tx, vault, receipt);
  return row && { salt: base64(row.salt), content: shownIn(row.content), metadata: row.metadata, source: row.source };
}

/** The query of a search with the salt. Only a caller who knows the query already is given the salt. */
async function withQuery(tx: Transaction, vault: Vault, receipt: ReceiptView, query: string): Promise<Disclosed> {
  const entry: Entry = JSON.parse(Buffer.from(receipt.bytes).toString('utf8'));
  const row = await genuineRow(tx, vault, receipt);
  if (!row || entry.kind !== 'memory.recall') throw new Refusal('receipt_not_found');
  if (commit(row.salt, query) !== entry.body.query_commitment) {
    throw new Refusal('invalid_query', 'The receipt does not commit to this query. It must be exactly as it was sent.');
  }
  return { salt: base64(row.salt), content: null, metadata: null, source: null, query };
}

async function genuineRow(tx: Transaction, vault: Vault, { receipt_id, bytes, hash }: ReceiptView) {
  const row = await vaultRowOf(tx, receipt_id);
  if (!row) return undefined;
  const receipt_hash = Buffer.from(hash).toString('hex');
  return vault.requireGenuine({ ...row, receipt_id, receipt_hash, entry: bytes });
}

/** Bytes of JSON. With more of it a verifier might refuse the bundle for its length: control characters take six each. */
const maxShownBytes = 1.75 * 1024 * 1024;

function shownIn(content: string | null): string | null {
  return Buffer.byteLength(JSON.stringify(content)) > maxShownBytes ? null : content;
}

async function proofOf(tx: Transaction, workspaceId: string, seq: number, place: Place) {
  const { head, checkpoint } = place;
  const entries = storedTiles(tx, workspaceId, entryHashes);
  const leaves = await logTiles(tx);
  const inLog = async ({ leaf, index }: LeafRow) => ({
    leaf: utf8(leaf),
    index,
    inclusion: hashes(await inclusionProof(leaves, index, checkpoint.size)),
  });
  const tagKey = await tagKeyOf(tx, workspaceId);
  // An auditor who trusts a key that is older than these has to follow the log itself.
  const keys = keysToShow(await keyLeaves(tx, checkpoint.size), await keyLeaves(tx, Number.MAX_SAFE_INTEGER));
  return {
    inclusion: hashes(await inclusionProof(entries, seq - 1, head.size ?? 0)),
    head: { ...(await inLog(head)), tag_key: base64(tagKey) },
    checkpoint: checkpoint.note,
    keys: await Promise.all(keys.map(inLog)),
    anchors: await anchorsOf(tx, place),
  };
}

/**
 * The keys of the log, without those that came into it by mistake and without the leaves that end keys: who makes a bundle
 * may show as many as he likes, and verifiers from before there were such leaves would refuse it.
 */
function keysToShow(covered: readonly LeafRow[], all: readonly LeafRow[]): readonly LeafRow[] {
  const events = all.map(({ leaf }) => keyEventOf(toUtf8(leaf)));
  const disowned = events.flatMap((event) => (event?.type === 'key_end' && event.reason === 'disowned' ? [event] : []));
  const shown = covered.filter((_, at) => {
    const event = events[at];
    // The succession with which the log has begun.
    if (event === null) return true;
    if (event?.type !== 'key' || event.key.name !== events[0]?.key.name) return false;
    return !disowned.some(({ key }) => isSameKey(key, event.key));
  });
  // A log that follows another one is known by its first two leaves.
  const begun = events[1] === null ? shown.slice(0, 2) : [];
  return [...begun, ...shown.slice(begun.length).slice(begun.length - bundleLimits.keys)];
}

/** The checkpoint's own timestamp, that of a later checkpoint if it says more, and the first anchor on Ethereum. */
async function anchorsOf(tx: Transaction, { checkpoint: own, anchored, onEthereum }: Place): Promise<Anchor[]> {
  const anchors: Anchor[] = own.ots ? [timestampOf(own, own.ots)] : [];
  if (anchored?.ots && anchored.size !== own.size) {
    anchors.push({ ...timestampOf(anchored, anchored.ots), ...(await laterThan(tx, own, anchored)) });
  }
  if (onEthereum) anchors.push({ ...onEthereum.anchor, ...(await laterThan(tx, own, onEthereum.checkpoint)) });
  return anchors;
}

async function laterThan(tx: Transaction, own: CheckpointRow, anchored: CheckpointRow): Promise<Later> {
  if (anchored.size === own.size) return {};
  const proof = await consistencyProof(await logTiles(tx), own.size, anchored.size);
  return { checkpoint: anchored.note, consistency: hashes(proof) };
}

function timestampOf({ height, header }: CheckpointRow, ots: Uint8Array): Anchor {
  const anchor = { type: 'opentimestamps' as const, ots: base64(ots) };
  if (height === null || header === null) return anchor;
  return { ...anchor, headers: { [String(height)]: Buffer.from(header).toString('hex') } };
}
