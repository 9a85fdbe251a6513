import type { World } from '../base/world.js';
import { genesisBytes } from '../ledger/chain.js';
import type { Ledger } from '../ledger/ledger.js';

/** Begins a chain as of now, with a tag key of its own. A chain that exists stays as it is. */
export function beginChain(ledger: Pick<Ledger, 'begin'>, world: World, chain: string): Promise<void> {
  return ledger.begin(chain, genesisBytes(chain, world.now().toISOString()), world.random(32));
}
