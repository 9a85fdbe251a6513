import { openBitcoinHeaders } from '../../adapters/bitcoin-headers.js';
import { type BoundedFetch, boundedFetch, Unavailable } from '../../adapters/bounded-fetch.js';
import { type Config, WrongSetting } from '../../settings/config.js';
import type { BitcoinHeaders } from '../../tlog/anchoring/sources.js';

/** A file that cannot be read ends the start; a server that does not answer is asked again when a block is looked for. */
export function openHeaders(where: string, ask: BoundedFetch = boundedFetch): Promise<BitcoinHeaders> {
  return openBitcoinHeaders(where, { ask }).catch((error) => {
    throw error instanceof Unavailable ? new WrongSetting(`BITCOIN_HEADERS is wrong: ${error.message}.`) : error;
  });
}

/** Looks at what a start can know to be wrong before there is a store. @throws WrongSetting */
export async function checkSettings({ bitcoinHeaders }: Config): Promise<void> {
  if (bitcoinHeaders !== undefined) await openHeaders(bitcoinHeaders);
}
