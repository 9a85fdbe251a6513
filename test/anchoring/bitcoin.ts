import { createHash } from 'node:crypto';
import type { Operation } from '../../src/verifier/ots/operation.js';

export interface Block {
  readonly header: Uint8Array;
  /** Serialised, without witnesses. The first is the coinbase. */
  readonly transactions: readonly Uint8Array[];
}

/** A chain of blocks that are as real as Bitcoin's but for their difficulty: that of Bitcoin's regression tests. */
export interface Chain {
  /** Of the last block. */
  height(): number;
  block(height: number): Block | undefined;
  /** Puts a transaction into the next block. */
  send(transaction: Uint8Array): void;
  mine(blocks?: number): void;
  /** Another branch of one block more replaces the last `blocks`; their transactions are in the first block after it. */
  reorganise(blocks: number): void;
  /** The block that a transaction is in, and how its id leads to the block's Merkle root. */
  find(transaction: Uint8Array): { readonly height: number; readonly path: readonly Operation[] } | undefined;
}

/** Every second hash is low enough. */
const easyBits = 0x207fffff;
export const easyTarget = 0x7fffffn << 232n;

/** @param startTime the first block's, in seconds since 1970; each block comes ten minutes after the one before */
export function createChain(startTime = 1_750_000_000): Chain {
  const blocks: Block[] = [];
  let waiting: Uint8Array[] = [];
  let made = 0;

  function mineOne(transactions: readonly Uint8Array[]): void {
    // Other people's transactions are before and behind, so that paths go both ways and levels have an odd end.
    const others = Array.from({ length: 2 + (made % 5) }, () =>
      dataTransaction(sha256(Buffer.from(`other ${made++}`))),
    );
    const all = [...others.slice(1), ...transactions, ...others.slice(0, 1)];
    const last = blocks.at(-1);
    const previous = last ? doubleSha256(last.header) : new Uint8Array(32);
    const time = startTime + 600 * blocks.length;
    blocks.push({ header: mineHeader(previous, merkleRoot(all.map(doubleSha256)), time), transactions: all });
  }

  function mine(count = 1): void {
    for (let mined = 0; mined < count; mined += 1) {
      mineOne(waiting);
      waiting = [];
    }
  }

  mine();
  return {
    height: () => blocks.length - 1,
    block: (height) => blocks[height],
    send: (transaction) => {
      waiting.push(transaction);
    },
    mine,
    reorganise(count) {
      const replaced = blocks.splice(-count);
      for (let mined = 0; mined <= count; mined += 1) mineOne([]);
      waiting.push(...replaced.flatMap(({ transactions }) => transactions.slice(1, -1)));
    },
    find(transaction) {
      const height = blocks.findIndex(({ transactions }) =>
        transactions.some((one) => Buffer.compare(one, transaction) === 0),
      );
      const ids = blocks[height]?.transactions.map(doubleSha256);
      return ids && { height, path: merklePath(ids, doubleSha256(transaction)) };
    },
  };
}

/** A transaction with one input and a data output (OP_RETURN) of 32 bytes. */
export function dataTransaction(data: Uint8Array): Uint8Array {
  const input = Buffer.concat([
    sha256(Buffer.from('spent')),
    Buffer.alloc(4),
    Buffer.from([0]),
    Buffer.from('fdffffff', 'hex'),
  ]);
  const output = Buffer.concat([Buffer.alloc(8), Buffer.from([34, 0x6a, 32]), data]);
  const parts = [Buffer.from('0200000001', 'hex'), input, Buffer.from([1]), output, Buffer.alloc(4)];
  return new Uint8Array(Buffer.concat(parts));
}

export function sha256(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(createHash('sha256').update(bytes).digest());
}

export function doubleSha256(bytes: Uint8Array): Uint8Array {
  return sha256(sha256(bytes));
}

function mineHeader(previous: Uint8Array, root: Uint8Array, time: number): Uint8Array {
  const header = Buffer.alloc(80);
  header.writeInt32LE(0x20000000, 0);
  header.set(previous, 4);
  header.set(root, 36);
  header.writeUInt32LE(time, 68);
  header.writeUInt32LE(easyBits, 72);
  for (let nonce = 0; ; nonce += 1) {
    header.writeUInt32LE(nonce, 76);
    if ((doubleSha256(header).at(-1) ?? 0) < 0x7f) return new Uint8Array(header);
  }
}

/** The header with another nonce, which makes its hash too high. */
export function withoutWork(header: Uint8Array): Uint8Array {
  for (let nonce = 0; ; nonce += 1) {
    const changed = header.with(79, nonce);
    if ((doubleSha256(changed).at(-1) ?? 0) >= 0x80) return changed;
  }
}

/** In each level the last hash is doubled when it has no other (Bitcoin's own way, CVE-2012-2459 included). */
function levelAbove(level: readonly Uint8Array[]): Uint8Array[] {
  const pairs = Math.ceil(level.length / 2);
  return Array.from({ length: pairs }, (_, at) => {
    const left = level[2 * at] ?? new Uint8Array();
    return doubleSha256(Buffer.concat([left, level[2 * at + 1] ?? left]));
  });
}

function merkleRoot(ids: readonly Uint8Array[]): Uint8Array {
  const [only = new Uint8Array()] = ids;
  return ids.length <= 1 ? only : merkleRoot(levelAbove(ids));
}

function merklePath(ids: readonly Uint8Array[], id: Uint8Array): Operation[] {
  if (ids.length <= 1) return [];
  const at = ids.findIndex((one) => Buffer.compare(one, id) === 0);
  const argument = ids[at ^ 1] ?? id;
  const above = levelAbove(ids);
  return [
    { name: at % 2 === 0 ? 'append' : 'prepend', argument },
    { name: 'sha256' },
    { name: 'sha256' },
    ...merklePath(above, above[at >> 1] ?? id),
  ];
}
