import { identitiesNamed } from '../../../projections/registry/queries.js';
import { distinct, type Slice, stepwise } from './slice.js';

interface IdentityState {
  /** Whether the holder of the key has proved it. */
  readonly isVerified: boolean;
}

/** By identifier. */
export type Identities = ReadonlyMap<string, IdentityState>;

/** Those of these identities that were issued. Only commands on the chain of the registry may read them. */
export const identities: Slice<readonly string[], Identities> = {
  empty: new Map(),
  async load({ tx }, reads) {
    const rows = await identitiesNamed(tx, distinct(reads));
    return new Map(rows.map(({ agent_id, is_verified }) => [agent_id, { isVerified: is_verified }]));
  },
  evolve: stepwise({
    'identity.issued': (before, { entry }) => new Map(before).set(entry.body.agn_id, { isVerified: false }),
    'identity.verified': (before, { entry }) => new Map(before).set(entry.body.agn_id, { isVerified: true }),
  }),
};
