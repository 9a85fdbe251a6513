import { createHmac } from 'node:crypto';
import { canonicalBytes, commit } from '../../src/ledger/chain.js';
import { formatCheckpoint, formatNote, signNote } from '../../src/tlog/note-writer.js';
import { inclusionProof, treeRoot } from '../../src/tlog/tree.js';
import { fromUtf8, toBase64, toHex, toUtf8 } from '../../src/verifier/bytes.js';
import { leafHash } from '../../src/verifier/merkle.js';
import { magic } from '../../src/verifier/ots/read.js';
import { sha256 } from '../anchoring/bitcoin.js';
import { createLog, encode, keyLeaf, seeded, signerOf, tilesOf } from './bundles.js';

const origin = 'log.example/1';

export interface HandMade {
  /** Members of the entry that no one knows. */
  readonly members?: number;
  /** Bytes of one text in the entry that no one knows. */
  readonly entryText?: number;
  readonly contentBytes?: number;
  /** Bytes that make the text of each checkpoint longer. */
  readonly checkpointText?: number;
}

/** Appends 4000 bytes and hashes them, again and again, in the costliest of the hashes, up to the limits. */
export function costlyTimestamp(digest: Uint8Array): string {
  const long = Uint8Array.of(0xf0, 0xa0, 0x1f, ...new Uint8Array(4000), 0x67);
  const steps = Array<Uint8Array>(15).fill(long);
  const short = Array<Uint8Array>(60).fill(Uint8Array.of(0xff, 0x67, 0x00, ...seeded('tag').slice(0, 8), 0));
  const start = [magic, Uint8Array.of(1, 8), digest];
  return toBase64(new Uint8Array(Buffer.concat([...start, ...steps, ...short, Uint8Array.of(0), new Uint8Array(9)])));
}

const key = (at: number) => signerOf(origin, `hand-made ${at}`);
export const [firstKey, ...laterKeys] = [key(0), ...Array.from({ length: 15 }, (_, at) => key(at + 1))] as const;

/**
 * A bundle in which every claim holds, or has nothing to be checked against, and that takes as long as someone can make
 * it take who has a log of their own: as many keys, signatures and timestamps as there may be, all of them right.
 */
export async function handMade({
  members = 0,
  entryText = 0,
  contentBytes = 0,
  checkpointText = 0,
}: HandMade): Promise<Uint8Array> {
  const [made] = (await createLog(origin, 'hand-made')).entries(0);
  if (!made) throw new Error('the log has no entry');
  const salt = seeded('salt');
  const content = 'x'.repeat(contentBytes);
  const fill = members > 0 ? Object.fromEntries(Array(members).fill(1).entries()) : 'x'.repeat(entryText);
  const body = { ...made.entry.body, content_commitment: commit(salt, content), fill };
  const entry = canonicalBytes({ ...made.entry, seq: 1, body });
  const hash = leafHash(entry);
  const tagKey = seeded('tag key');
  const tag = createHmac('sha256', tagKey).update(made.entry.workspace_id).digest('hex');
  const head_hash = toHex(hash);
  const root = toHex(await treeRoot(tilesOf([hash]), 1));
  const since = '2026-01-01T00:00:00.000Z';
  const leaves = [
    keyLeaf(firstKey, since),
    ...laterKeys.map((one) => keyLeaf(one, since, firstKey)),
    canonicalBytes({ head_hash, root, size: 1, tag, type: 'head', v: 1 }),
  ];
  const tiles = tilesOf(leaves.map(leafHash));
  const size = leaves.length;
  const extensions = checkpointText > 0 ? ['x'.repeat(checkpointText)] : [];
  const text = formatCheckpoint({ origin, size, root: await treeRoot(tiles, size), extensions });
  const signers = [firstKey, ...laterKeys].slice(0, 8);
  const checkpoint = fromUtf8(formatNote({ text, signatures: signers.map((signer) => signNote(text, signer)) }));
  const proofs = await Promise.all(
    leaves.map(async (leaf, index) => {
      return { leaf: toBase64(leaf), index, inclusion: (await inclusionProof(tiles, index, size)).map(toBase64) };
    }),
  );
  const ots = costlyTimestamp(sha256(toUtf8(text)));
  return encode({
    format: 'counterfoil-proof/1',
    entry: toBase64(entry),
    inclusion: [],
    checkpoint,
    disclosed: { salt: toBase64(salt), content, metadata: null, source: null },
    head: { ...proofs.at(-1), tag_key: toBase64(tagKey) },
    keys: proofs.slice(0, -1),
    anchors: Array(4).fill({ type: 'opentimestamps', ots, checkpoint, consistency: [] }),
  });
}
