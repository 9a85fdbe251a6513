import type { WriteRules } from '../../contracts/entries/entry.js';
import { Refusal } from '../../contracts/errors.js';
import type { Caller } from './caller.js';
import type { Counts } from './redaction/finding.js';

/**
 * Keys are paused with every agent. A signed-in person who writes in the name of an agent counts as that agent.
 * @throws Refusal tenant_paused
 */
export function requireUnpaused({ pause_all }: WriteRules, caller: Caller): void {
  if (pause_all && (caller.role === null || caller.agent !== null)) throw new Refusal('tenant_paused');
}

/**
 * @param found the kinds of values that redaction has replaced in a text
 * @throws Refusal content_rejected where the workspace refuses such texts, with what was found by kind and none of it
 */
export function requireNothingSensitive({ sensitive }: WriteRules, found: Counts): void {
  if (sensitive === 'reject' && Object.keys(found).length > 0) {
    throw new Refusal('content_rejected', undefined, { kinds: found });
  }
}
