import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { canonicalBytes } from '../../src/ledger/chain.js';
import { formatCheckpoint, formatNote, type NoteSigner, signNote } from '../../src/tlog/note-writer.js';
import { formatTilePath } from '../../src/tlog/tile-path.js';
import { toHex } from '../../src/verifier/bytes.js';
import { openFrontier } from '../../src/verifier/frontier.js';
import { leafHash } from '../../src/verifier/merkle.js';
import { seeded } from './bundles.js';

/** A head of a made-up workspace, as a leaf of the log. */
export function headOf(workspace: string, size: number): Uint8Array {
  const [tag, root, head_hash] = ['tag', 'root', 'hash'].map((what, at) =>
    toHex(seeded(`${what} ${workspace} ${at === 0 ? '' : size}`)),
  );
  return canonicalBytes({ head_hash, root, size, tag, type: 'head', v: 1 });
}

/** This number of heads of `workspaces` workspaces alternately, each bigger than the one before it. */
export function heads(count: number, workspaces = 7): Uint8Array[] {
  return Array.from({ length: count }, (_, at) => headOf(String(at % workspaces), 1 + Math.floor(at / workspaces)));
}

/** Writes what a log of these leaves serves into a directory, over what is there. */
export function writeLog(
  directory: string,
  leaves: readonly Uint8Array[],
  { origin, signers }: { readonly origin: string; readonly signers: readonly NoteSigner[] },
): void {
  const put = (path: string, content: Uint8Array | string) => {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), content);
  };
  const tilesOf = (level: number | 'entries', parts: readonly Uint8Array[]) => {
    for (let index = 0; index * 256 < parts.length; index += 1) {
      const tile = parts.slice(index * 256, (index + 1) * 256);
      put(formatTilePath({ level, index, width: tile.length }), Buffer.concat(tile));
    }
  };
  const levels: Uint8Array[][] = [[], [], [], []];
  const frontier = openFrontier();
  for (const leaf of leaves) {
    for (const { height, hash } of frontier.add(leafHash(leaf))) if (height % 8 === 0) levels[height / 8]?.push(hash);
  }
  for (const [level, hashes] of levels.entries()) tilesOf(level, hashes);
  tilesOf(
    'entries',
    leaves.map((leaf) => Buffer.concat([Buffer.from([leaf.length >> 8, leaf.length & 255]), leaf])),
  );
  const text = formatCheckpoint({ origin, size: leaves.length, root: frontier.root(), extensions: [] });
  put('checkpoint', formatNote({ text, signatures: signers.map((signer) => signNote(text, signer)) }));
}
