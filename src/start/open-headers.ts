import { openBitcoinHeaders } from '../adapters/bitcoin-headers.js';
import { Unavailable } from '../adapters/bounded-fetch.js';
import { WrongSetting } from '../config.js';
import type { BitcoinHeaders } from '../tlog/anchoring/sources.js';

/** A file that cannot be read ends the start; a server that does not answer is asked again when a block is looked for. */
export function openHeaders(where: string): Promise<BitcoinHeaders> {
  return openBitcoinHeaders(where).catch((error) => {
    throw error instanceof Unavailable ? new WrongSetting(`BITCOIN_HEADERS is wrong: ${error.message}.`) : error;
  });
}
