import { hash } from 'node:crypto';
import { type Completed, grow, inclusionProof, type Tiles, tileWidth, treeRoot } from '../../src/tlog/tree.js';
import { verifyInclusion } from '../../src/verifier/merkle.js';
import { machineLine, table } from './machine.js';

const count = 1_000_000;
const proofs = 2000;

/**
 * Growing a tree to a million leaves, and proofs from it, with its tiles in memory. The baseline is SHA-256 of as many
 * pairs as the tree has inner nodes, which is what no tree can do without.
 */
export async function benchTree(): Promise<void> {
  const leaves = Buffer.concat(Array.from({ length: count }, (_, at) => hash('sha256', `leaf ${at}`, 'buffer')));
  const levels: Uint8Array[] = [leaves];
  const tiles: Tiles = {
    read: async (level, index, width) =>
      (levels[level] ?? new Uint8Array()).subarray(32 * tileWidth * index, 32 * (tileWidth * index + width)),
  };
  const pair = Buffer.alloc(65);
  const hashed = await bestOf(5, async () => {
    for (let at = 1; at < count; at += 1) hash('sha256', pair, 'hex');
  });
  let completed: Completed[] = [];
  const grown = await bestOf(5, async () => {
    completed = [];
    for await (const one of grow(tiles, 0, count)) completed.push(one);
  });
  for (const level of [1, 2]) {
    levels.push(Buffer.concat(completed.filter((one) => one.level === level).map((one) => one.hash)));
  }
  const indexes = Array.from({ length: proofs }, (_, at) => (at * 7919) % count);
  const made = await bestOf(3, async () => {
    for (const index of indexes) await inclusionProof(tiles, index, count);
  });
  const root = await treeRoot(tiles, count);
  const claims = await Promise.all(
    indexes.map(async (index) => {
      const leaf = leaves.subarray(32 * index, 32 * (index + 1));
      return { leaf, index, size: count, root, proof: await inclusionProof(tiles, index, count) };
    }),
  );
  const verified = await bestOf(3, async () => {
    for (const fault of claims.map(verifyInclusion)) if (fault) throw new Error(fault);
  });
  console.log(
    table([
      [machineLine()],
      [],
      ['work', 'seconds', 'per second'],
      [`SHA-256 of ${count - 1} pairs (baseline)`, hashed.toFixed(2), (count / hashed).toFixed(0)],
      [`growing to ${count} leaves`, grown.toFixed(2), (count / grown).toFixed(0)],
      [`making ${proofs} inclusion proofs`, made.toFixed(2), (proofs / made).toFixed(0)],
      [`verifying ${proofs} inclusion proofs`, verified.toFixed(2), (proofs / verified).toFixed(0)],
    ]),
  );
}

/** Seconds of the fastest run: the first runs code that is not compiled yet, and on a shared machine others alternate. */
async function bestOf(runs: number, work: () => Promise<void>): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run += 1) {
    const from = performance.now();
    await work();
    best = Math.min(best, (performance.now() - from) / 1000);
  }
  return best;
}
