import { realWorld } from '../../src/base/world.js';
import { linkErc8004, recordEmission, unlinkErc8004 } from '../../src/commands/erc8004.js';
import type { Run } from '../../src/commands/run.js';
import type { Erc8004Consent } from '../../src/commands/state/erc8004-links.js';
import type { Caller } from '../../src/domain/caller.js';

/** As it would be found on the chain. */
export const consentOf = (agentId: string, more: Partial<Erc8004Consent> = {}): Erc8004Consent => ({
  chainId: 31_337,
  registry: `0x${'8'.repeat(40)}`,
  agentId,
  proof: 'owner',
  account: `0x${'9'.repeat(40)}`,
  ...more,
});

/**
 * Links an agent to three agents of ERC-8004, one after the other: one is replaced, one ended, and one stays. For one epoch there is
 * feedback about it.
 */
export async function fillErc8004(run: Run, caller: Caller, linkId: string, agnId: string): Promise<void> {
  const link = (consent: Erc8004Consent) => run(caller.workspaceId, linkErc8004(realWorld, caller, linkId, consent));
  await link(consentOf('0'));
  await link(consentOf('7', { proof: 'registration', account: null }));
  await run(caller.workspaceId, unlinkErc8004(realWorld, caller, linkId));
  await link(consentOf((2n ** 256n - 1n).toString(), { proof: 'wallet' }));
  const emission = {
    agn_id: agnId,
    epoch: '2026-01-15',
    from_seq: 1,
    to_seq: 3,
    count: 2,
    root: 'a'.repeat(64),
    tx_hash: `0x${'b'.repeat(64)}`,
  };
  await run(caller.workspaceId, recordEmission(realWorld, emission));
}
