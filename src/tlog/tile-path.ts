/** A resource of C2SP tlog-tiles: hashes of a level of the tree, or the entries under a tile of level 0. */
export interface TilePath {
  /** 0 to 63, or the entries themselves. */
  readonly level: number | 'entries';
  /** From 0, counted in tiles. */
  readonly index: number;
  /** How many hashes or entries it has: 256 when it is complete, else 1 to 255. */
  readonly width: number;
}

const form = /^tile\/(entries|[0-9]{1,2})\/((?:x[0-9]{3}\/)*[0-9]{3})(?:\.p\/([0-9]{1,3}))?$/;

/** `tile/<L>/<N>[.p/<W>]` or `tile/entries/<N>[.p/<W>]`, with N in groups of three digits: x001/x234/067. */
export function formatTilePath({ level, index, width }: TilePath): string {
  const digits = String(index);
  const padded = digits.padStart(3 * Math.ceil(digits.length / 3), '0');
  const partial = width === 256 ? '' : `.p/${width}`;
  return `tile/${level}/${padded.replace(/[0-9]{3}(?=[0-9])/g, 'x$&/')}${partial}`;
}

/** @returns null for any path that `formatTilePath` does not write: each tile has one address, and caches keep one copy */
export function parseTilePath(path: string): TilePath | null {
  // Longer than the path of any safe integer, and not worth matching.
  if (path.length > 64) return null;
  const [, level, groups, partial = '256'] = form.exec(path) ?? [];
  if (level === undefined || groups === undefined) return null;
  const parsed: TilePath = {
    level: level === 'entries' ? level : Number(level),
    index: Number(groups.replace(/[x/]/g, '')),
    width: Number(partial),
  };
  const exists =
    parsed.width >= 1 && Number.isSafeInteger(parsed.index) && (level === 'entries' || Number(level) <= 63);
  return exists && parsed.width <= 256 && formatTilePath(parsed) === path ? parsed : null;
}
