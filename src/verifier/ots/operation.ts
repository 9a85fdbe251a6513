import { ripemd160, sha1 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { concat, equal, toHex, toUtf8 } from '../bytes.js';
import { Unreadable } from '../unreadable.js';

/** The step from one message of a timestamp to the next. */
export type Operation =
  | { readonly name: 'append' | 'prepend'; readonly argument: Uint8Array }
  | { readonly name: 'reverse' | 'hexlify' | HashName };

export type HashName = 'sha1' | 'ripemd160' | 'sha256' | 'keccak256';

/**
 * The largest message in bytes, before and after an operation. An argument has at least one byte and at most this number.
 */
export const maxMessage = 4096;

/** The bytes that name operations in a file. */
export const operationTags: Readonly<Record<Operation['name'], number>> = {
  sha1: 0x02,
  ripemd160: 0x03,
  sha256: 0x08,
  keccak256: 0x67,
  append: 0xf0,
  prepend: 0xf1,
  reverse: 0xf2,
  hexlify: 0xf3,
};

const operationNames = ['sha1', 'ripemd160', 'sha256', 'keccak256', 'append', 'prepend', 'reverse', 'hexlify'] as const;

export function operationName(tag: number): Operation['name'] | undefined {
  return operationNames.find((name) => operationTags[name] === tag);
}

/** The hashes that may identify a file, with the length of their digests. The reference client has no keccak256 here. */
export const fileDigests: ReadonlyMap<HashName, number> = new Map([
  ['sha1', 20],
  ['ripemd160', 20],
  ['sha256', 32],
]);

/** @throws Unreadable when the result is empty or longer than `maxMessage`. A path to an empty message proves nothing. */
export function apply(operation: Operation, message: Uint8Array): Uint8Array {
  const result = resultOf(operation, message);
  if (result.length === 0) throw new Unreadable(`${operation.name} of an empty message`);
  if (result.length > maxMessage) throw new Unreadable(`${operation.name} gives more than ${maxMessage} bytes`);
  return result;
}

function resultOf(operation: Operation, message: Uint8Array): Uint8Array {
  switch (operation.name) {
    case 'append':
      return concat(message, operation.argument);
    case 'prepend':
      return concat(operation.argument, message);
    case 'reverse':
      return message.toReversed();
    case 'hexlify':
      return toUtf8(toHex(message));
    case 'sha1':
      return sha1(message);
    case 'ripemd160':
      return ripemd160(message);
    case 'sha256':
      return sha256(message);
    case 'keccak256':
      return keccak_256(message);
  }
}

export function argumentOf(operation: Operation): Uint8Array {
  return 'argument' in operation ? operation.argument : new Uint8Array();
}

export function sameOperation(a: Operation, b: Operation): boolean {
  return a.name === b.name && equal(argumentOf(a), argumentOf(b));
}
