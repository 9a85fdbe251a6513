import { createHmac } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import type { Unlinked } from '../../contracts/entries/entry.js';
import { canonicalBytes, commit, genesisBytes, genesisHead, type Linked, link } from '../../src/ledger/chain.js';
import { formatCheckpoint, formatNote, type NoteSigner, signNote } from '../../src/tlog/note-writer.js';
import { consistencyProof, inclusionProof, type Tiles, treeRoot } from '../../src/tlog/tree.js';
import { fromHex, fromUtf8, toBase64, toHex, toUtf8 } from '../../src/verifier/bytes.js';
import { leafHash } from '../../src/verifier/merkle.js';
import { type NoteSignature, parseNote, type VerifierKey, verifierKey } from '../../src/verifier/note.js';
import { apply, type Operation } from '../../src/verifier/ots/operation.js';
import { path } from '../../src/verifier/ots/timestamp.js';
import { writeDetached } from '../../src/verifier/ots/write.js';
import { type Chain, createChain, dataTransaction, sha256 } from '../anchoring/bitcoin.js';

/** A bundle as it is written. Tests change what they like. */
export interface BundleJson {
  format: string;
  entry: string;
  disclosed?: { salt: string; content: string | null; metadata: string | null; source: string | null };
  inclusion?: string[];
  head?: { leaf: string; tag_key: string; index: number; inclusion: string[] };
  checkpoint?: string;
  keys: { leaf: string; index: number; inclusion: string[] }[];
  anchors: AnchorJson[];
}

export interface AnchorJson {
  type: string;
  ots?: string;
  headers?: Record<string, string>;
  checkpoint?: string;
  consistency?: string[];
  transaction?: string;
}

export interface Choices {
  /** 0 to 2; the workspaces have 11, 5 and 4 entries. */
  readonly workspace?: number;
  readonly seq?: number;
  /** Leaves of the checkpoint: 6, or 9 for the later one, or all that there are. */
  readonly size?: number;
  readonly anchor?: 'none' | 'promised' | 'this' | 'later';
  /** Whether the block header comes with the anchor. */
  readonly headers?: boolean;
  readonly disclosed?: boolean;
}

export interface TestLog {
  readonly origin: string;
  /** The first key, and the second, which the first endorses and which signs all checkpoints. */
  readonly keys: readonly [VerifierKey, VerifierKey];
  readonly witness: VerifierKey;
  readonly signers: readonly [NoteSigner, NoteSigner];
  readonly chain: Chain;
  /** Entries of a workspace. */
  entries(workspace: number): readonly Linked[];
  bundle(choices?: Choices): Promise<BundleJson>;
}

export const encode = (bundle: unknown): Uint8Array => toUtf8(JSON.stringify(bundle));
/** 32 bytes that are the same in every run. */
export const seeded = (label: string): Uint8Array => sha256(Buffer.from(label));

export function signerOf(name: string, seed: string): NoteSigner {
  const secret = seeded(`key ${seed}`);
  const key = verifierKey(name, 'ed25519', ed25519.getPublicKey(secret));
  return { key, sign: (message) => ed25519.sign(message, secret) };
}

/** Workspaces and their sizes, in the order in which the log gets to know them. The second key comes behind three. */
const heads: readonly (readonly [number, number])[] = [
  [0, 3],
  [1, 2],
  [2, 1],
  [0, 7],
  [1, 5],
  [2, 4],
  [0, 11],
];

export type MoreLeaves = (first: NoteSigner, second: NoteSigner) => readonly Uint8Array[];

/**
 * A log of three workspaces, with all keys, salts, ids and times made from `seed`.
 * @param more leaves about keys, which are behind the other 9
 * @param begun leaves behind the first key
 */
export async function createLog(
  origin: string,
  seed: string,
  more: MoreLeaves = () => [],
  begun: MoreLeaves = () => [],
): Promise<TestLog> {
  const [first, second] = [signerOf(origin, `${seed} 1`), signerOf(origin, `${seed} 2`)];
  const witness = witnessOf('witness.example/w', `${seed} witness`);
  const workspaces = [11, 5, 4].map((entries, at) => workspaceOf(`${seed} ${at}`, entries));
  const leaves = [keyLeaf(first, '2026-01-01T00:00:00.000Z'), ...begun(first, second)];
  for (const [workspace, size] of heads.slice(0, 3))
    leaves.push(await headLeaf(workspaces[workspace] ?? never(), size));
  leaves.push(keyLeaf(second, '2026-02-01T00:00:00.000Z', first));
  for (const [workspace, size] of heads.slice(3)) leaves.push(await headLeaf(workspaces[workspace] ?? never(), size));
  leaves.push(...more(first, second));
  const aboutKeys = leaves.flatMap((leaf, at) => (fromUtf8(leaf).includes('"type":"head"') ? [] : [at]));
  const tiles = tilesOf(leaves.map(leafHash));
  const chain = createChain();
  const notes = new Map<number, string>();
  const sizes = [6, 9].map((size) => size + begun(first, second).length);
  for (const size of new Set([...sizes, leaves.length])) {
    const text = formatCheckpoint({ origin, size, root: await treeRoot(tiles, size), extensions: [] });
    notes.set(size, fromUtf8(formatNote({ text, signatures: [signNote(text, second), witness.cosign(text)] })));
  }
  const proofOf = async (index: number, size: number) => ({
    leaf: toBase64(leaves[index] ?? never()),
    index,
    inclusion: (await inclusionProof(tiles, index, size)).map(toBase64),
  });

  async function anchorOf(choice: Choices['anchor'], size: number, headers: boolean): Promise<AnchorJson[]> {
    if (choice === 'none') return [];
    const note = notes.get(choice === 'later' ? 9 : size) ?? never();
    const digest = sha256(toUtf8(parseNote(toUtf8(note)).text));
    const { ots, height } = choice === 'promised' ? promise(digest) : timestamp(chain, digest);
    const header = headers ? chain.block(height)?.header : undefined;
    return [
      {
        type: 'opentimestamps',
        ots: toBase64(ots),
        ...(header ? { headers: { [height]: toHex(header) } } : {}),
        ...(choice === 'later'
          ? { checkpoint: note, consistency: (await consistencyProof(tiles, size, 9)).map(toBase64) }
          : {}),
      },
    ];
  }

  async function bundle(choices: Choices = {}): Promise<BundleJson> {
    const { workspace = 0, seq = 2, size = 6, anchor = 'later', headers = true, disclosed = true } = choices;
    const owner = workspaces[workspace] ?? never();
    const index = leaves.findLastIndex((leaf, at) => at < size && fromUtf8(leaf).includes(owner.tag));
    const { size: entries }: { size: number } = JSON.parse(fromUtf8(leaves[index] ?? never()));
    const { leaf, inclusion } = await proofOf(index, size);
    return {
      format: 'counterfoil-proof/1',
      entry: toBase64(owner.chain[seq - 1]?.bytes ?? never()),
      ...(disclosed ? { disclosed: { ...textsOf(seq), salt: toBase64(saltOf(seq)) } } : {}),
      inclusion: (await inclusionProof(owner.tiles, seq - 1, entries)).map(toBase64),
      head: { leaf, tag_key: toBase64(owner.tagKey), index, inclusion },
      checkpoint: notes.get(size) ?? never(),
      keys: await Promise.all(aboutKeys.filter((at) => at < size).map((at) => proofOf(at, size))),
      anchors: await anchorOf(anchor, size, headers),
    };
  }

  return {
    origin,
    keys: [first.key, second.key],
    witness: witness.key,
    signers: [first, second],
    chain,
    entries: (workspace) => workspaces[workspace]?.chain ?? [],
    bundle,
  };
}

interface Workspace {
  readonly chain: readonly Linked[];
  readonly tiles: Tiles;
  readonly tagKey: Uint8Array;
  /** In hex. */
  readonly tag: string;
}

function workspaceOf(seed: string, entries: number): Workspace {
  const id = uuid(`workspace ${seed}`);
  const genesis = genesisHead(genesisBytes(id, '2026-01-01T00:00:00.000Z'));
  const chain = link(
    id,
    genesis,
    Array.from({ length: entries }, (_, at) => draft(seed, at + 1)),
  );
  const tagKey = seeded(`tag key ${seed}`);
  const tag = createHmac('sha256', tagKey).update(id).digest('hex');
  return { chain, tiles: tilesOf(chain.map(({ hash }) => fromHex(hash))), tagKey, tag };
}

/** The text that is in the entry of a number; every second one has a source. */
function textsOf(seq: number) {
  return {
    content: `Ada has ${seq} cats — and a \u{1f408}.`,
    metadata: `{"n": ${seq}}`,
    source: seq % 2 === 0 ? `chat-${seq}` : null,
  };
}

const saltOf = (seq: number): Uint8Array => seeded(`salt ${seq}`);

function draft(seed: string, seq: number): Unlinked {
  const { content, metadata, source } = textsOf(seq);
  const salt = saltOf(seq);
  return {
    kind: 'memory.write',
    receipt_id: `rcp_${toHex(seeded(`receipt ${seed} ${seq}`)).slice(0, 26)}`,
    recorded_at: `2026-01-01T00:00:${String(seq).padStart(2, '0')}.000Z`,
    actor: { type: 'key', id: uuid(`key ${seed}`), user_id: null, agent_id: 'ada', app_id: null, run_id: null },
    body: {
      memory_id: uuid(`memory ${seed} ${seq}`),
      job_id: uuid(`job ${seed} ${seq}`),
      namespace_id: uuid(`namespace ${seed}`),
      content_commitment: commit(salt, content),
      metadata_commitment: commit(salt, metadata),
      source_commitment: source === null ? null : commit(salt, source),
      content_bytes: toUtf8(content).length,
      playground: false,
    },
  };
}

function uuid(label: string): string {
  const hex = toHex(seeded(label));
  return [hex.slice(0, 8), hex.slice(8, 12), `7${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

async function headLeaf({ chain, tiles, tag }: Workspace, size: number): Promise<Uint8Array> {
  const root = toHex(await treeRoot(tiles, size));
  return canonicalBytes({ head_hash: chain[size - 1]?.hash ?? never(), root, size, tag, type: 'head', v: 1 });
}

/** A signing key as a leaf of the log, endorsed by those before it. */
export function keyLeaf({ key }: NoteSigner, not_before: string, ...endorsers: NoteSigner[]): Uint8Array {
  const { name } = key;
  const leaf = { algorithm: 'ed25519', name, not_before, public_key: toBase64(key.publicKey), type: 'key', v: 1 };
  const message = toUtf8(`counterfoil-key/1\n${fromUtf8(canonicalBytes(leaf))}`);
  const endorsements = endorsers.map((one) => ({ key_id: one.key.id, signature: toBase64(one.sign(message)) }));
  return canonicalBytes({ ...leaf, endorsements });
}

/** Level 0 holds the leaves; trees of fewer than 256 have no other. */
export function tilesOf(leaves: readonly Uint8Array[]): Tiles {
  return {
    read: async (level, index, width) => {
      if (level !== 0 || index !== 0) throw new Error('a tree with more than one tile');
      return new Uint8Array(Buffer.concat(leaves.slice(0, width)));
    },
  };
}

/** A witness (C2SP tlog-cosignature) whose clock stands still. */
export function witnessOf(name: string, seed: string) {
  const secret = seeded(`key ${seed}`);
  const key = verifierKey(name, 'cosignature/v1', ed25519.getPublicKey(secret));
  const time = 1_770_000_000n;
  const cosign = (text: string): NoteSignature => {
    const signature = new Uint8Array(72);
    new DataView(signature.buffer).setBigUint64(0, time);
    signature.set(ed25519.sign(toUtf8(`cosignature/v1\ntime ${time}\n${text}`), secret), 8);
    return { name, keyId: key.id, signature };
  };
  return { key, cosign };
}

/** A file with a promise and nothing else. */
export function promise(digest: Uint8Array) {
  const attestations = [{ kind: 'pending', uri: 'https://calendar.example' } as const];
  const timestamp = { message: digest, attestations, branches: [] };
  return { ots: writeDetached({ hash: 'sha256', timestamp }), height: -1 };
}

/** A file about the digest in the next block of the chain. */
export function timestamp(chain: Chain, digest: Uint8Array) {
  const blind: Operation[] = [{ name: 'append', argument: seeded('nonce').slice(0, 16) }, { name: 'sha256' }];
  const transaction = dataTransaction(blind.reduce((message, step) => apply(step, message), digest));
  chain.send(transaction);
  chain.mine();
  const { height, path: above } = chain.find(transaction) ?? never();
  const steps: Operation[] = [
    ...blind,
    { name: 'prepend', argument: transaction.slice(0, -36) },
    { name: 'append', argument: transaction.slice(-4) },
    { name: 'sha256' },
    { name: 'sha256' },
    ...above,
  ];
  const attested = path(digest, steps, (message) => ({
    message,
    attestations: [{ kind: 'bitcoin', height }],
    branches: [],
  }));
  return { ots: writeDetached({ hash: 'sha256', timestamp: attested }), height };
}

function never(): never {
  throw new Error('the test asks for what it has not made');
}
