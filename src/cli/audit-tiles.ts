import type { Tiles } from '../tlog/tree.js';
import { readEntries } from '../verifier/leaf.js';
import type { LogSource } from '../verifier/log-tiles.js';

/** Requests tiles with the width that they have in a log of this size, because narrower ones may have been removed. */
export function tilesOf(source: LogSource, size: number): Tiles {
  return {
    async read(level, index, width) {
      const tile = await source.tile(level, index, Math.min(256, Math.floor(size / 256 ** level) - 256 * index));
      return tile.slice(0, 32 * width);
    },
  };
}

export async function leafAt(source: LogSource, index: number, size: number): Promise<Uint8Array> {
  const tile = Math.floor(index / 256);
  const width = Math.min(256, size - 256 * tile);
  const leaf = readEntries(await source.tile('entries', tile, width), width)[index % 256];
  if (!leaf) throw new Error(`the log has no leaf ${index}`);
  return leaf;
}
