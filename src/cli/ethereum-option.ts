import { open } from 'node:fs/promises';
import { Unavailable } from '../adapters/bounded-fetch.js';
import { openEthereumNode } from '../adapters/ethereum-node.js';
import { longestBlockList, readBlockList, type TrustedBlocks } from '../verifier/ethereum/trusted-blocks.js';
import { type Trust, verifyBundle } from '../verifier/verify.js';
import type { Terminal } from './terminal.js';

/**
 * Reads the value of `--ethereum`: a file of trusted blocks, or the address of a node, which is asked about the blocks that
 * the bundle names. A node that cannot be used is reported, and then nothing is trusted.
 */
export async function trustedBlocks(
  where: string,
  bundle: Uint8Array,
  trust: Trust,
  err: Terminal['err'],
): Promise<TrustedBlocks> {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(where)) return { hashes: await blocksFile(where) };
  // The address may have a password in it, so no message shows it.
  if (!/^https?:/i.test(where)) throw new Error('--ethereum takes a file, or an address with http:// or https://');
  const numbers = blocksOf(bundle, trust);
  const node = openEthereumNode(where);
  if (numbers.length === 0) return {};
  try {
    const chainId = await node.chainId();
    const settledUntil = await node.settledUntil();
    const found = new Map<number, string>();
    for (const number of numbers) {
      const hash = await node.blockHash(number);
      if (hash !== undefined) found.set(number, hash);
    }
    return { node: { chainId, settledUntil, hashAt: (number) => found.get(number) } };
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    err(`counterfoil: no block of Ethereum from ${node.host}: ${error.message}`);
    return {};
  }
}

/** The numbers of the blocks in the bundle whose hash would decide something. */
function blocksOf(bundle: Uint8Array, trust: Trust): number[] {
  const numbers = new Set<number>();
  const node = { chainId: 0, settledUntil: 0, hashAt: (number: number) => void numbers.add(number) };
  verifyBundle(bundle, { ...trust, ethereum: { ...trust.ethereum, node } });
  return [...numbers];
}

async function blocksFile(path: string): Promise<ReadonlySet<string>> {
  const file = await open(path);
  try {
    if ((await file.stat()).size > longestBlockList) {
      throw new Error(`${path} has more than ${longestBlockList} bytes`);
    }
    const hashes = readBlockList(await file.readFile('utf8'));
    if (hashes.size === 0) throw new Error(`there is no block in ${path}`);
    return hashes;
  } finally {
    await file.close();
  }
}
