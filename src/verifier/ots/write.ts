import { concat } from '../bytes.js';
import { attestationBytes } from './attestation.js';
import { varuint } from './cursor.js';
import { argumentOf, type Operation, operationTags } from './operation.js';
import { attestationTag, forkTag, magic, majorVersion, readDetached, readTimestamp } from './read.js';
import type { Detached, Timestamp } from './timestamp.js';

/** The inverse of `readDetached`. @throws Unreadable for what could not be read again, such as one without attestations */
export function writeDetached({ hash, timestamp }: Detached): Uint8Array {
  const head = Uint8Array.of(majorVersion, operationTags[hash]);
  const bytes = concat(magic, head, timestamp.message, treeBytes(timestamp));
  readDetached(bytes);
  return bytes;
}

/** The inverse of `readTimestamp`. @throws Unreadable for what could not be read again */
export function writeTimestamp(timestamp: Timestamp): Uint8Array {
  const bytes = treeBytes(timestamp);
  readTimestamp(bytes, timestamp.message);
  return bytes;
}

/** Attestations before operations, each in the order of their bytes: so the same timestamp has the same bytes, merged as it may be. */
function treeBytes({ attestations, branches }: Timestamp): Uint8Array {
  const items = [
    ...attestations.map((one) => concat(Uint8Array.of(attestationTag), attestationBytes(one))).sort(compare),
    ...branches
      .map(({ operation, timestamp }) => ({ operation: operationBytes(operation), timestamp }))
      .sort((a, b) => compare(a.operation, b.operation))
      .map(({ operation, timestamp }) => concat(operation, treeBytes(timestamp))),
  ];
  return concat(...items.flatMap((item, at) => (at < items.length - 1 ? [Uint8Array.of(forkTag), item] : [item])));
}

function operationBytes(operation: Operation): Uint8Array {
  const argument = argumentOf(operation);
  const tag = Uint8Array.of(operationTags[operation.name]);
  return argument.length === 0 ? tag : concat(tag, varuint(argument.length), argument);
}

function compare(a: Uint8Array, b: Uint8Array): number {
  const at = a.findIndex((byte, index) => byte !== b[index]);
  return at < 0 ? a.length - b.length : (a[at] ?? 0) - (b[at] ?? -1);
}
