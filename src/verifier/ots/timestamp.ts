import { equal } from '../bytes.js';
import { type Attestation, sameAttestation } from './attestation.js';
import { apply, type HashName, type Operation, sameOperation } from './operation.js';

/** A message, its attestations, and the operations that lead from it to further attested messages. */
export interface Timestamp {
  readonly message: Uint8Array;
  readonly attestations: readonly Attestation[];
  readonly branches: readonly Branch[];
}

export interface Branch {
  readonly operation: Operation;
  /** The timestamp of the operation's result. */
  readonly timestamp: Timestamp;
}

/** An `.ots` file: the hash function that was used on its subject, and the timestamp of that digest. */
export interface Detached {
  readonly hash: HashName;
  readonly timestamp: Timestamp;
}

/** The statement of one attestation: this message existed when the attestation was made. */
export interface Commitment {
  readonly attestation: Attestation;
  readonly message: Uint8Array;
}

/** All attested messages of a timestamp, in the order of the file. */
export function commitments({ message, attestations, branches }: Timestamp): Commitment[] {
  return [
    ...attestations.map((attestation) => ({ attestation, message })),
    ...branches.flatMap(({ timestamp }) => commitments(timestamp)),
  ];
}

/** The timestamp of `message` that leads through `operations` to `end(last message)`. @throws Unreadable as `apply` does */
export function path(
  message: Uint8Array,
  operations: readonly Operation[],
  end: (message: Uint8Array) => Timestamp,
): Timestamp {
  const [operation, ...rest] = operations;
  if (!operation) return end(message);
  return {
    message,
    attestations: [],
    branches: [{ operation, timestamp: path(apply(operation, message), rest, end) }],
  };
}

/**
 * All attestations and operations of two timestamps of one message, each once.
 * @throws RangeError for timestamps of different messages
 */
export function merge(a: Timestamp, b: Timestamp): Timestamp {
  if (!equal(a.message, b.message)) throw new RangeError('timestamps of different messages cannot be merged');
  const attestations = [...a.attestations];
  for (const attestation of b.attestations) {
    if (!attestations.some((known) => sameAttestation(known, attestation))) attestations.push(attestation);
  }
  const branches = [...a.branches];
  for (const branch of b.branches) {
    const at = branches.findIndex(({ operation }) => sameOperation(operation, branch.operation));
    const known = branches[at];
    if (known) branches[at] = { ...known, timestamp: merge(known.timestamp, branch.timestamp) };
    else branches.push(branch);
  }
  return { message: a.message, attestations, branches };
}

/**
 * Replaces the promise of a calendar with its later answer and keeps everything else. If the answer is wrong, the
 * promise is lost, so keep the old timestamp until the new one verifies.
 * @param uri the calendar's address in the promise
 * @param answer the calendar's timestamp of the promised message
 */
export function fulfil(timestamp: Timestamp, uri: string, answer: Timestamp): Timestamp {
  const { message, attestations, branches } = timestamp;
  const kept = {
    message,
    attestations: attestations.filter((one) => one.kind !== 'pending' || one.uri !== uri),
    branches: branches.map((branch) => ({ ...branch, timestamp: fulfil(branch.timestamp, uri, answer) })),
  };
  if (!equal(message, answer.message)) return { ...kept, attestations };
  return kept.attestations.length < attestations.length ? merge(kept, answer) : kept;
}
