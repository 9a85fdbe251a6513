import { createReadiness } from '../api/service/readiness.js';
import type { World } from '../base/world.js';
import type { Database } from '../database/database.js';
import { ledgerReadiness } from './eventstore.js';

interface Parts {
  readonly transaction: Database['transaction'];
  readonly streams: Parameters<typeof ledgerReadiness>[0];
  readonly world: World;
}

/** The parts of the service that `/readyz` names as missing. */
export const wireReadiness = ({ transaction, streams, world }: Parts, state: { readonly isStopping: boolean }) =>
  createReadiness(transaction, ledgerReadiness(streams), world.doubt, () => state.isStopping);
