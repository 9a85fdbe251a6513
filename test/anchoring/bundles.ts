import { createHash } from 'node:crypto';
import type { Bundle } from '../../src/commands/prove.js';
import { parseCheckpoint } from '../../src/verifier/checkpoint.js';
import { leafHash, verifyConsistency, verifyInclusion } from '../../src/verifier/merkle.js';
import { parseNote, verifierKey, verifyNote } from '../../src/verifier/note.js';
import { verifyDetached } from '../../src/verifier/ots/verify.js';
import { easyTarget } from './bitcoin.js';

/** One anchor of a bundle: the checkpoint that it is about, and what its timestamp proves with the headers in it. */
export interface CheckedAnchor {
  readonly of: 'its own' | 'a later one';
  readonly state: 'verified' | 'not checked' | 'failed';
}

const bytes = (base64: string): Uint8Array => new Uint8Array(Buffer.from(base64, 'base64'));
const all = (proof: readonly string[]): Uint8Array[] => proof.map(bytes);

/** A note's text and tree, once one of the keys has been seen to have signed it. */
function readCheckpoint(note: string, keys: Bundle['keys'] = []) {
  const parsed = parseNote(Buffer.from(note, 'utf8'));
  const verifiers = keys.map(({ leaf }) => {
    const key = JSON.parse(Buffer.from(leaf, 'base64').toString('utf8'));
    return verifierKey(key.name, 'ed25519', bytes(key.public_key));
  });
  const signed = verifyNote(parsed, verifiers);
  if (typeof signed === 'string') throw new Error(signed);
  return { text: parsed.text, ...parseCheckpoint(parsed.text) };
}

function none(fault: string | null, what: string): void {
  if (fault !== null) throw new Error(`${what}: ${fault}`);
}

/**
 * Checks every part of a bundle with the verifier's own functions, headers from the bundle alone.
 * @returns what its anchors say; null for a bundle without a checkpoint
 * @throws when anything in it is wrong
 */
export function checkBundle(bundle: Bundle): { size: number; anchors: CheckedAnchor[] } | null {
  const { head, checkpoint, keys = [], inclusion = [], anchors = [] } = bundle;
  if (!head || checkpoint === undefined) return null;
  const tree = readCheckpoint(checkpoint, keys);
  const { size, root } = tree;
  const leaf = JSON.parse(Buffer.from(head.leaf, 'base64').toString('utf8'));
  const { seq } = JSON.parse(Buffer.from(bundle.entry, 'base64').toString('utf8'));
  const entry = leafHash(bytes(bundle.entry));
  const entryRoot = new Uint8Array(Buffer.from(leaf.root, 'hex'));
  none(
    verifyInclusion({ leaf: entry, index: seq - 1, size: leaf.size, proof: all(inclusion), root: entryRoot }),
    'entry',
  );
  for (const one of [head, ...keys]) {
    const proof = all(one.inclusion);
    none(verifyInclusion({ leaf: leafHash(bytes(one.leaf)), index: one.index, size, proof, root }), 'leaf');
  }
  const checked = anchors.flatMap((anchor): CheckedAnchor[] => {
    if (anchor.type !== 'opentimestamps') return [];
    const later = anchor.checkpoint === undefined ? tree : readCheckpoint(anchor.checkpoint, keys);
    if (later !== tree) {
      const [from, to, proof] = [size, later.size, all(anchor.consistency ?? [])];
      none(verifyConsistency({ from, fromRoot: root, to, toRoot: later.root, proof }), 'consistency');
    }
    const digest = new Uint8Array(createHash('sha256').update(later.text, 'utf8').digest());
    const headers = new Map(Object.entries(anchor.headers ?? {}).map(([height, hex]) => [Number(height), hex]));
    const header = (height: number) => {
      const hex = headers.get(height);
      return hex === undefined ? undefined : new Uint8Array(Buffer.from(hex, 'hex'));
    };
    const { state } = verifyDetached(bytes(anchor.ots), digest, header, () => easyTarget);
    return [{ of: later === tree ? 'its own' : 'a later one', state }];
  });
  return { size, anchors: checked };
}
