import { equal, fromHex } from '../bytes.js';
import { Unreadable } from '../unreadable.js';
import { type Attestation, readAttestation } from './attestation.js';
import { type Cursor, cursor } from './cursor.js';
import {
  apply,
  fileDigests,
  type HashName,
  maxMessage,
  type Operation,
  operationName,
  operationTags,
} from './operation.js';
import type { Branch, Detached, Timestamp } from './timestamp.js';

/**
 * These limits are far above what calendars produce: a path to a block has about 40 operations on 2 kB of messages (38
 * on 1970 bytes in the reference client's `hello-world.txt.ots`). They are low enough that the worst file takes 20 ms
 * (`npx vitest run --project fast test/verifier/ots.test.ts -t 'costs little time'`).
 */
export const limits = {
  /** Of a file or an answer. */
  bytes: 65_536,
  /** Messages on the path from the digest to an attestation, including both: the recursion limit of the reference client. */
  depth: 256,
  operations: 2048,
  attestations: 256,
  /** Bytes of all messages together, because an operation of one byte can hash a message of 4096 bytes. */
  messageBytes: 262_144,
};

/** `\0OpenTimestamps\0\0Proof\0` and eight bytes that no text has. */
export const magic = fromHex('004f70656e54696d657374616d7073000050726f6f6600bf89e2e884e89294');
export const majorVersion = 1;
export const forkTag = 0xff;
export const attestationTag = 0x00;

/**
 * Reads a detached timestamp, the content of an `.ots` file (https://github.com/opentimestamps/python-opentimestamps,
 * `opentimestamps/core`).
 * @throws Unreadable that says what is wrong at which byte
 */
export function readDetached(bytes: Uint8Array): Detached {
  checkSize(bytes);
  const file = cursor(bytes);
  if (!equal(file.bytes(magic.length, 'the magic number'), magic)) {
    throw new Unreadable('the magic number at byte 0 is not that of an OpenTimestamps file');
  }
  const version = file.byte('the major version');
  if (version !== majorVersion) throw new Unreadable(`the major version at byte ${magic.length} is ${version}, not 1`);
  const [hash, length] = readFileDigest(file);
  const timestamp = readTree(file, file.bytes(length, 'the digest').slice());
  return { hash, timestamp };
}

/**
 * Reads the answer of a calendar: the timestamp of a message that both sides know.
 * @throws Unreadable that says what is wrong at which byte
 */
export function readTimestamp(bytes: Uint8Array, message: Uint8Array): Timestamp {
  checkSize(bytes);
  if (message.length > maxMessage) throw new Unreadable(`a message of more than ${maxMessage} bytes`);
  return readTree(cursor(bytes), message);
}

function checkSize(bytes: Uint8Array): void {
  if (bytes.length > limits.bytes) throw new Unreadable(`a timestamp of more than ${limits.bytes} bytes`);
}

function readFileDigest(file: Cursor): readonly [HashName, number] {
  const at = file.offset();
  const tag = file.byte('the type of the digest');
  for (const [hash, length] of fileDigests) if (operationTags[hash] === tag) return [hash, length];
  throw new Unreadable(`the type of the digest at byte ${at} is unknown: ${tag}`);
}

/** A timestamp that is still being read. */
interface Draft {
  readonly message: Uint8Array;
  readonly attestations: Attestation[];
  readonly branches: Branch[];
  /** Messages from the digest to this one. */
  readonly depth: number;
}

/**
 * A timestamp is any number of items that each follow a fork byte, and a last item without one. An item is an
 * attestation, or an operation and the timestamp of its result. `open` holds the timestamps whose last item was not
 * read yet, the innermost one last.
 */
function readTree(file: Cursor, message: Uint8Array): Timestamp {
  const spent = { operations: 0, attestations: 0, messageBytes: 0 };
  const root: Draft = { message, attestations: [], branches: [], depth: 1 };
  const open = [root];
  for (let draft = open.pop(); draft; draft = open.pop()) {
    let tag = file.byte('an item of the timestamp');
    if (tag === forkTag) {
      open.push(draft);
      tag = file.byte('an item after a fork');
    }
    if (tag === attestationTag) {
      spend(spent, 'attestations', 1, file);
      draft.attestations.push(readAttestation(file));
    } else open.push(readBranch(file, tag, draft, spent));
  }
  file.end('the timestamp');
  return root;
}

function readBranch(file: Cursor, tag: number, above: Draft, spent: Spent): Draft {
  const at = file.offset() - 1;
  spend(spent, 'operations', 1, file);
  const operation = readOperation(file, tag, at);
  const depth = above.depth + 1;
  if (depth > limits.depth)
    throw new Unreadable(`the operation at byte ${at} lies deeper than ${limits.depth} messages`);
  spend(spent, 'messageBytes', above.message.length, file);
  const timestamp: Draft = { message: resultAt(at, operation, above.message), attestations: [], branches: [], depth };
  above.branches.push({ operation, timestamp });
  return timestamp;
}

function readOperation(file: Cursor, tag: number, at: number): Operation {
  const name = operationName(tag);
  if (name === undefined) throw new Unreadable(`the operation at byte ${at} is unknown: ${tag}`);
  if (name !== 'append' && name !== 'prepend') return { name };
  return { name, argument: file.varbytes(1, maxMessage, `the argument of ${name}`).slice() };
}

function resultAt(at: number, operation: Operation, message: Uint8Array): Uint8Array {
  try {
    return apply(operation, message);
  } catch (error) {
    if (error instanceof Unreadable)
      throw new Unreadable(`the operation at byte ${at} is not possible: ${error.message}`);
    throw error;
  }
}

type Spent = Record<'operations' | 'attestations' | 'messageBytes', number>;

function spend(spent: Spent, what: keyof Spent, amount: number, file: Cursor): void {
  spent[what] += amount;
  if (spent[what] > limits[what]) {
    throw new Unreadable(`a timestamp with more than ${limits[what]} ${names[what]} at byte ${file.offset()}`);
  }
}

const names: Readonly<Record<keyof Spent, string>> = {
  operations: 'operations',
  attestations: 'attestations',
  messageBytes: 'bytes of messages',
};
