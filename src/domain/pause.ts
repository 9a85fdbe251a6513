import type { WriteRules } from '../../contracts/entries/entry.js';
import { Refusal } from '../../contracts/errors.js';
import type { Caller } from './caller.js';

/**
 * Keys are paused with every agent. A signed-in person who writes in the name of an agent counts as that agent.
 * @throws Refusal tenant_paused
 */
export function requireUnpaused({ pause_all }: WriteRules, caller: Caller): void {
  if (pause_all && (caller.role === null || caller.agent !== null)) throw new Refusal('tenant_paused');
}
