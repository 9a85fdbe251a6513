import { equal, toHex } from './bytes.js';
import { type Log, readLog } from './checkpoint.js';
import { type LeafProof, readLeafProof, type Verdict } from './evidence-parts.js';
import type { Json, JsonObject } from './json.js';
import type { KeyEvent } from './keys.js';
import { type Head, keyEventOf, readHeadLeaf } from './leaf.js';
import { hashLength, leafHash, verifyConsistency, verifyInclusion } from './merkle.js';
import { formatVerifierKey, type VerifierKey, verifyNote } from './note.js';
import { bytes, exactBytes, list, object, proof, text } from './shape.js';
import { contradicts, faultOfSuccession, isBeyond, readSuccession, type Succession } from './succession.js';
import { inUseAt, trustedKeys } from './trusted-keys.js';
import { attempt, Unreadable } from './unreadable.js';

/**
 * Contradictions between a log that has ended and the log that says that it follows. What each kind proves:
 * - `beyond`: the ended log has signed a checkpoint that its own succession denies: a larger one than the largest that was said to be
 * known, or another tree of the same size.
 * - `successors`: the keys of the ended log have endorsed two different successions.
 * - `unextended`: the new log has a head of a workspace that does not extend the last one of the same workspace in the ended log, among
 * the leaves that were said to be kept.
 */
export type SuccessionEvidence =
  | { readonly kind: 'beyond'; readonly older: string; readonly succession: Uint8Array }
  | { readonly kind: 'successors'; readonly successions: readonly Uint8Array[] }
  | {
      readonly kind: 'unextended';
      /** A checkpoint of the ended log, of what was kept or of less. */
      readonly older: string;
      /** A checkpoint of the new log. */
      readonly later: string;
      readonly succession: Uint8Array;
      /** The head under the older checkpoint, and the one under the later checkpoint. */
      readonly heads: readonly LeafProof[];
      /** If the new head is larger: the root that its tree has at the size of the old one, and the consistency proof. */
      readonly root?: Uint8Array;
      readonly consistency?: readonly Uint8Array[];
    };

const maxLeaf = 65_535;

/** @returns null for evidence of another kind @throws Unreadable */
export function readSuccessionEvidence(
  value: Json,
  known: JsonObject,
  base: readonly string[],
): SuccessionEvidence | null {
  const succession = () => bytes(known.succession, 'its succession', maxLeaf);
  switch (known.kind) {
    case 'beyond':
      object(value, 'the evidence', [...base, 'older', 'succession']);
      return { kind: 'beyond', older: text(known.older, 'its older checkpoint'), succession: succession() };
    case 'successors':
      object(value, 'the evidence', [...base, 'successions']);
      return {
        kind: 'successors',
        successions: list(known.successions, 'its successions', 2, (one, what) => bytes(one, what, maxLeaf)),
      };
    case 'unextended': {
      object(value, 'the evidence', [...base, 'older', 'later', 'succession', 'heads'], ['root', 'consistency']);
      const { root, consistency } = known;
      return {
        kind: 'unextended',
        older: text(known.older, 'its older checkpoint'),
        later: text(known.later, 'its later checkpoint'),
        succession: succession(),
        heads: list(known.heads, 'its heads', 2, readLeafProof),
        ...(root === undefined ? {} : { root: exactBytes(root, 'its root', hashLength) }),
        ...(consistency === undefined ? {} : { consistency: proof(consistency, 'its consistency proof') }),
      };
    }
    default:
      return null;
  }
}

/**
 * Evaluates evidence of these kinds by itself.
 * @param leaves about the keys of both logs, oldest first
 * @param given keys that the reader knows as keys of the ended log; without any, the first key in the file is accepted
 */
export function evaluateSuccession(
  evidence: SuccessionEvidence,
  leaves: readonly Uint8Array[],
  given: readonly VerifierKey[],
): Verdict {
  const found = attempt(() => findContradiction(evidence, openTrust(leaves, given)));
  return typeof found === 'string' ? { proven: false, text: `Nothing is shown: ${found}.`, signers: [] } : found;
}

interface Trust {
  readonly events: readonly KeyEvent[];
  readonly old: readonly VerifierKey[];
  readonly signers: Set<string>;
}

function openTrust(leaves: readonly Uint8Array[], given: readonly VerifierKey[]): Trust {
  const events = leaves.flatMap((leaf) => keyEventOf(leaf) ?? []);
  const old = trustedKeys(given.length > 0 ? given : events.slice(0, 1).map(({ key }) => key), events);
  if (typeof old === 'string') throw new Unreadable(old);
  return { events, old, signers: new Set() };
}

/** @throws Unreadable for a succession that the ended log has not endorsed */
function endorsed(leaf: Uint8Array, { old, signers }: Trust): Succession {
  const succession = readSuccession(leaf);
  const fault = faultOfSuccession(succession, old);
  if (fault !== null) throw new Unreadable(`the succession ${fault}`);
  for (const key of old) if (key.name === succession.from.origin) signers.add(formatVerifierKey(key));
  return succession;
}

/** @throws Unreadable for a checkpoint that no known key of its log has signed */
function signed(note: string, origin: string, keys: readonly VerifierKey[]): Log {
  const log = readLog(note);
  if (log.origin !== origin) throw new Unreadable(`a checkpoint is of ${log.origin}, and not of ${origin}`);
  const own = inUseAt(keys, log.size).filter(({ type, name }) => type === 'ed25519' && name === origin);
  const found = verifyNote(log.note, own);
  if (typeof found === 'string') throw new Unreadable(`the checkpoint of ${log.size} leaves: ${found}`);
  return log;
}

function findContradiction(evidence: SuccessionEvidence, trust: Trust): Verdict {
  const verdict = (proven: boolean, sentence: string): Verdict => ({
    proven,
    text: sentence,
    signers: [...trust.signers],
  });
  switch (evidence.kind) {
    case 'beyond': {
      const succession = endorsed(evidence.succession, trust);
      const { from, to } = succession;
      const seen = signed(evidence.older, from.origin, trust.old);
      if (!isBeyond(succession, seen)) return verdict(false, 'The succession does not deny the checkpoint.');
      return verdict(
        true,
        `${from.origin} has signed a checkpoint of ${seen.size} leaves, and ${to.name} follows it as if it had ended with another one, of ${from.size}.`,
      );
    }
    case 'successors': {
      const [one, other] = evidence.successions.map((leaf) => endorsed(leaf, trust));
      if (!one || !other || !contradicts(one, other))
        return verdict(false, 'There are not two successions of one log.');
      return verdict(
        true,
        `${one.from.origin} has two successors: ${formatVerifierKey(one.to)} and ${formatVerifierKey(other.to)}.`,
      );
    }
    case 'unextended': {
      const fault = unextended(evidence, trust);
      return verdict(fault.proven, fault.text);
    }
  }
}

type Unextended = Extract<SuccessionEvidence, { kind: 'unextended' }>;

function unextended(evidence: Unextended, trust: Trust): Pick<Verdict, 'proven' | 'text'> {
  const notProven = (sentence: string) => ({ proven: false, text: sentence });
  const succession = endorsed(evidence.succession, trust);
  const { from, kept, to } = succession;
  const older = signed(evidence.older, from.origin, trust.old);
  if (older.size > kept.size) return notProven('The older checkpoint is not of what was kept.');
  const next = trustedKeys([to], trust.events);
  if (typeof next === 'string') return notProven(`${next}.`);
  const later = signed(evidence.later, to.name, next);
  const [one, other] = evidence.heads;
  if (!one || !other) return notProven('There are not two heads.');
  const [last, now] = [headIn(one, older), headIn(other, later)];
  if (!equal(last.tag, now.tag)) return notProven('The heads belong to two workspaces.');
  const how = breakBetween(last, now, evidence);
  if (how === null) return notProven('The new head is not shown to be another one than an extension of the old head.');
  return {
    proven: true,
    text: `${to.name} has a head of ${now.size} entries (leaf ${other.index}) that ${how} the head of ${last.size} entries of the same workspace (tag ${toHex(now.tag)}) at leaf ${one.index} of ${from.origin}, of which it says that ${kept.size} leaves were kept.`,
  };
}

function headIn({ leaf, index, inclusion }: LeafProof, { origin, size, root }: Log): Head {
  const fault = verifyInclusion({ leaf: leafHash(leaf), index, size, proof: inclusion, root });
  if (fault !== null) throw new Unreadable(`leaf ${index} is not proven to be in ${origin}: ${fault}`);
  return readHeadLeaf(leaf);
}

function breakBetween(last: Head, now: Head, { root, consistency }: Unextended): string | null {
  if (now.size < last.size) return 'is smaller than';
  if (now.size === last.size) return equal(now.root, last.root) ? null : 'has other entries than';
  if (!root || !consistency || equal(root, last.root)) return null;
  const fault = verifyConsistency({
    from: last.size,
    fromRoot: root,
    to: now.size,
    toRoot: now.root,
    proof: consistency,
  });
  return fault === null ? 'does not begin with the entries of' : null;
}
