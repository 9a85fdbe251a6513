import { openHeaderSource, Unbelievable } from '../adapters/bitcoin-headers.js';
import { Unavailable } from '../adapters/bounded-fetch.js';
import type { Headers } from '../verifier/ots/verify.js';
import { type Trust, verifyBundle } from '../verifier/verify.js';
import { printableLine, type Terminal } from './terminal.js';

/** The largest number of blocks. A hostile bundle may name thousands; the files of four calendars name at most four. */
const maxBlocks = 16;

/**
 * Gets the headers of the blocks that the bundle names from the source of `--headers`. Whether a header can be believed is
 * decided by the check, which fails where it cannot. A header that could not be had is reported.
 */
export async function fetchHeaders(
  bundle: Uint8Array,
  trust: Trust,
  where: string,
  err: Terminal['err'],
): Promise<Headers> {
  const heights = new Set<number>();
  verifyBundle(bundle, { ...trust, headers: (height) => void heights.add(height) });
  const find = await openHeaderSource(where);
  const found = new Map<number, ReturnType<Headers>>();
  for (const height of [...heights].slice(0, maxBlocks)) {
    try {
      found.set(height, await find(height));
    } catch (error) {
      if (error instanceof Unbelievable) found.set(height, { fault: error.message });
      else if (!(error instanceof Unavailable)) throw error;
      else err(printableLine(`counterfoil: no header of block ${height} from ${shownSource(where)}: ${error.message}`));
    }
  }
  return (height) => found.get(height);
}

/** Only the host of an address: it may have a password in it. */
function shownSource(where: string): string {
  return /^https?:\/\//.test(where) && URL.canParse(where) ? new URL(where).host : where;
}
