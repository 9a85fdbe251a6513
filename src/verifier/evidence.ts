import { equal, toBase64, toHex, toUtf8 } from './bytes.js';
import { type Log, readLog } from './checkpoint.js';
import { type LeafProof, readLeafProof, type Verdict } from './evidence-parts.js';
import { type JsonObject, readJson } from './json.js';
import { readKeyEvent } from './keys.js';
import { readHeadLeaf } from './leaf.js';
import { hashLength, leafHash, verifyConsistency, verifyInclusion } from './merkle.js';
import { formatVerifierKey, type VerifierKey, verifyNote } from './note.js';
import { bytes, exactBytes, list, object, proof, text } from './shape.js';
import { evaluateSuccession, readSuccessionEvidence, type SuccessionEvidence } from './succession-evidence.js';
import { inUseAt, trustedKeys } from './trusted-keys.js';
import { attempt, Unreadable } from './unreadable.js';

/**
 * `counterfoil-evidence/1`: a file with which an auditor shows others that a log is wrong. This is what each kind
 * proves to a reader who accepts the keys in the file as keys of the log, provided that SHA-256 has no collisions and
 * that only the log had the private keys:
 * - `fork`: the log has signed two different trees of the same size. So it has shown different histories to different
 * readers.
 * - `inconsistent`: the later tree does not begin with the older one. Leaves that were signed have been changed or
 * removed.
 * - `shrunk`: one signed log holds two heads of a workspace of which the later has no more entries than the earlier.
 * - `beyond`, `successors`, `unextended`: see `SuccessionEvidence`.
 * - `smaller`: both checkpoints were signed, and nothing more is proven. Every growing log has signed a smaller one
 * before a bigger one; that the smaller one was served later is only the auditor's claim.
 */
const evidenceFormat = 'counterfoil-evidence/1';

export type Evidence = {
  /** Key leaves of the log, oldest first: each is endorsed by one before it. */
  readonly keys: readonly Uint8Array[];
} & (
  | { readonly kind: 'fork' | 'smaller'; readonly older: string; readonly later: string }
  | {
      readonly kind: 'inconsistent';
      readonly older: string;
      readonly later: string;
      /** The root of the later tree at the size of the older one, and the consistency proof for it. */
      readonly root: Uint8Array;
      readonly consistency: readonly Uint8Array[];
    }
  | { readonly kind: 'shrunk'; readonly later: string; readonly heads: readonly LeafProof[] }
  | SuccessionEvidence
);

/** The largest size of an evidence file in bytes, and the largest number of keys in it. */
const evidenceLimits = { bytes: 4 * 1024 * 1024, keys: 1024 };

/** @throws Unreadable */
export function readEvidence(file: Uint8Array): Evidence {
  if (file.length > evidenceLimits.bytes) throw new Unreadable(`a file of more than ${evidenceLimits.bytes} bytes`);
  const value = readJson(file, { depth: 8, values: 65_536 });
  const base = ['format', 'kind', 'keys'];
  const common = [...base, 'later'];
  const optional = ['later', 'older', 'root', 'consistency', 'heads', 'succession', 'successions'];
  const known = object(value, 'the evidence', base, optional);
  if (known.format !== evidenceFormat) throw new Unreadable(`the evidence is not of the format ${evidenceFormat}`);
  const keys = list(known.keys, 'its keys', evidenceLimits.keys, (key, what) => bytes(key, what, 65_535));
  const ofSuccession = readSuccessionEvidence(value, known, base);
  if (ofSuccession) return { ...ofSuccession, keys };
  const later = text(known.later, 'its later checkpoint');
  switch (known.kind) {
    case 'fork':
    case 'smaller':
      object(value, 'the evidence', [...common, 'older']);
      return { kind: known.kind, keys, later, older: text(known.older, 'its older checkpoint') };
    case 'inconsistent':
      object(value, 'the evidence', [...common, 'older', 'root', 'consistency']);
      return { kind: 'inconsistent', keys, later, ...readInconsistency(known) };
    case 'shrunk':
      object(value, 'the evidence', [...common, 'heads']);
      return { kind: 'shrunk', keys, later, heads: list(known.heads, 'its heads', 2, readLeafProof) };
    default:
      throw new Unreadable('the evidence is of an unknown kind');
  }
}

function readInconsistency({ older, root, consistency }: JsonObject) {
  return {
    older: text(older, 'its older checkpoint'),
    root: exactBytes(root, 'its root', hashLength),
    consistency: proof(consistency, 'its consistency proof'),
  };
}

/**
 * Evaluates evidence by itself. It needs neither the log nor trust in the auditor.
 * @param given keys that the reader knows as keys of the log; without any, the first key in the file is accepted, and
 * the verdict is about the holder of that key
 */
export function evaluate(evidence: Evidence, given: readonly VerifierKey[]): Verdict {
  if (isOfSuccession(evidence)) return evaluateSuccession(evidence, evidence.keys, given);
  const signed = attempt(() => checkSignatures(evidence, given));
  if (typeof signed === 'string') return { proven: false, text: `Nothing is shown: ${signed}.`, signers: [] };
  const { older, later, signers } = signed;
  return { ...findContradiction(evidence, older, later), signers };
}

type OfOneLog = Exclude<Evidence, SuccessionEvidence>;

const isOfSuccession = (evidence: Evidence): evidence is Evidence & SuccessionEvidence =>
  evidence.kind === 'beyond' || evidence.kind === 'successors' || evidence.kind === 'unextended';

interface Checked {
  readonly older: Log | null;
  readonly later: Log;
  readonly signers: readonly string[];
}

/** @throws Unreadable for a checkpoint or key that cannot be read, and for a note that no trusted key has signed */
function checkSignatures(evidence: OfOneLog, given: readonly VerifierKey[]): Checked {
  const logged = evidence.keys.map(readKeyEvent);
  const trusted = trustedKeys(given.length > 0 ? given : logged.slice(0, 1).map(({ key }) => key), logged);
  if (typeof trusted === 'string') throw new Unreadable(trusted);
  const later = readLog(evidence.later);
  const older = 'older' in evidence ? readLog(evidence.older) : null;
  const signers = new Set<string>();
  for (const log of older ? [older, later] : [later]) {
    const inUse = inUseAt(trusted, log.size);
    const own = inUse.filter(({ type, name }) => type === 'ed25519' && name === log.origin);
    const signed = verifyNote(log.note, own);
    if (typeof signed === 'string') throw new Unreadable(`the checkpoint of ${log.size} leaves: ${signed}`);
    for (const { key } of signed) signers.add(formatVerifierKey(key));
  }
  if (older && older.origin !== later.origin) throw new Unreadable('the checkpoints are of two logs');
  return { older, later, signers: [...signers] };
}

type Finding = Omit<Verdict, 'signers'>;
const proven = (text: string): Finding => ({ proven: true, text });
const notProven = (text: string): Finding => ({ proven: false, text });

function findContradiction(evidence: OfOneLog, older: Log | null, later: Log): Finding {
  if (evidence.kind === 'shrunk') return shrinking(evidence.heads, later);
  if (!older) return notProven('There is no older checkpoint.');
  if (evidence.kind === 'inconsistent') return inconsistency(older, later, evidence.root, evidence.consistency);
  if (older.size === later.size && !equal(older.root, later.root)) {
    return proven(`${later.origin} has signed two different trees of ${later.size} leaves.`);
  }
  if (later.size >= older.size) return notProven('The two checkpoints do not contradict each other.');
  return notProven(
    `${later.origin} has signed checkpoints of ${older.size} and of ${later.size} leaves, which every growing log does; that the smaller one came later is only a claim of this file.`,
  );
}

function inconsistency(older: Log, later: Log, root: Uint8Array, consistency: readonly Uint8Array[]): Finding {
  const fault = verifyConsistency({
    from: older.size,
    fromRoot: root,
    to: later.size,
    toRoot: later.root,
    proof: consistency,
  });
  if (fault !== null)
    return notProven(`The root of the later tree at the size of the older one is not proven: ${fault}.`);
  if (equal(root, older.root)) return notProven('The later tree begins with the older one.');
  return proven(
    `${later.origin} has signed a tree of ${later.size} leaves that does not begin with the tree of ${older.size} leaves that it had signed.`,
  );
}

function shrinking(heads: readonly LeafProof[], { origin, size, root }: Log): Finding {
  const [first, second] = heads;
  if (!first || !second || first.index >= second.index)
    return notProven('There are not two heads in the order of their leaves.');
  const read = [first, second].map((one) => attempt(() => readHeadLeaf(one.leaf)));
  const [before, after] = read;
  if (typeof before !== 'object' || typeof after !== 'object') return notProven('A leaf is not a readable head.');
  for (const { leaf, index, inclusion } of [first, second]) {
    const fault = verifyInclusion({ leaf: leafHash(leaf), index, size, proof: inclusion, root });
    if (fault !== null) return notProven(`Leaf ${index} is not proven to be in the log: ${fault}.`);
  }
  if (!equal(before.tag, after.tag)) return notProven('The heads belong to two workspaces.');
  if (after.size > before.size) return notProven('The second head has more entries than the first, as it should.');
  return proven(
    `${origin} has signed a log in which leaf ${second.index} is a head of ${after.size} entries after leaf ${first.index}, a head of ${before.size} entries of the same workspace (tag ${toHex(after.tag)}).`,
  );
}

/** The content of the evidence file, which `readEvidence` reads. */
export function writeEvidence(evidence: Evidence): string {
  const encode = (_key: string, value: unknown) => (value instanceof Uint8Array ? toBase64(value) : value);
  const written = `${JSON.stringify({ format: evidenceFormat, ...evidence }, encode, 2)}\n`;
  readEvidence(toUtf8(written));
  return written;
}
