import { concat, toUtf8 } from '../bytes.js';
import { type Attestation, attestationBytes, tagOf } from './attestation.js';
import { varuint } from './cursor.js';
import { argumentOf, type Operation, operationTags } from './operation.js';
import { attestationTag, forkTag, magic, majorVersion, readDetached, readTimestamp } from './read.js';
import type { Detached, Timestamp } from './timestamp.js';

/** The inverse of `readDetached`. @throws Unreadable for a file that could not be read, such as one without attestations */
export function writeDetached({ hash, timestamp }: Detached): Uint8Array {
  const head = Uint8Array.of(majorVersion, operationTags[hash]);
  const bytes = concat(magic, head, timestamp.message, treeBytes(timestamp));
  readDetached(bytes);
  return bytes;
}

/** The inverse of `readTimestamp`. @throws Unreadable for a timestamp that could not be read */
export function writeTimestamp(timestamp: Timestamp): Uint8Array {
  const bytes = treeBytes(timestamp);
  readTimestamp(bytes, timestamp.message);
  return bytes;
}

/**
 * Writes attestations before operations, both in the reference client's order, so that the order of merging has no effect.
 */
function treeBytes({ attestations, branches }: Timestamp): Uint8Array {
  const items = [
    ...attestations
      .toSorted((a, b) => compare(attestationKey(a), attestationKey(b)))
      .map((attestation) => concat(Uint8Array.of(attestationTag), attestationBytes(attestation))),
    ...branches
      .toSorted((a, b) => compare(operationKey(a.operation), operationKey(b.operation)))
      .map(({ operation, timestamp }) => concat(operationBytes(operation), treeBytes(timestamp))),
  ];
  return concat(...items.flatMap((item, at) => (at < items.length - 1 ? [Uint8Array.of(forkTag), item] : [item])));
}

function operationBytes(operation: Operation): Uint8Array {
  const argument = argumentOf(operation);
  const tag = Uint8Array.of(operationTags[operation.name]);
  return argument.length === 0 ? tag : concat(tag, varuint(argument.length), argument);
}

function operationKey(operation: Operation): Uint8Array {
  return concat(Uint8Array.of(operationTags[operation.name]), argumentOf(operation));
}

function attestationKey(attestation: Attestation): Uint8Array {
  const tag = tagOf(attestation);
  if (attestation.kind === 'pending') return concat(tag, toUtf8(attestation.uri));
  if (attestation.kind === 'unknown') return concat(tag, attestation.payload);
  // Compares the numbers: the shorter varuint is the smaller one, and its last group is the highest.
  const groups = varuint(attestation.height);
  return concat(tag, Uint8Array.of(groups.length), groups.toReversed());
}

/** Compares byte by byte; a prefix comes before the longer value. */
function compare(a: Uint8Array, b: Uint8Array): number {
  const at = a.findIndex((byte, index) => byte !== b[index]);
  return at < 0 ? a.length - b.length : (a[at] ?? 0) - (b[at] ?? -1);
}
