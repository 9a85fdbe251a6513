import type { WriteRules } from '../../contracts/entries/entry.js';
import { Refusal } from '../../contracts/errors.js';
import type { Counts } from './redaction/finding.js';

/**
 * @param found the kinds of values that redaction has replaced in a text
 * @throws Refusal content_rejected where the workspace refuses such texts, with what was found by kind and none of it
 */
export function requireNothingSensitive({ sensitive }: WriteRules, found: Counts): void {
  if (sensitive === 'reject' && Object.keys(found).length > 0) {
    throw new Refusal('content_rejected', undefined, { kinds: found });
  }
}
