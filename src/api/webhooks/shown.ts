import { webhookPattern } from '../../../contracts/webhooks.js';
import type { WebhookView } from '../../../projections/webhooks/queries.js';
import { RawJson } from '../../base/json-text.js';

/** A webhook as its agent sees it. */
export function webhookShape(view: WebhookView) {
  const { failing, disabled: _, readable: __, reach: ___, pattern, ...row } = view;
  const reason = whyDisabled(view);
  const status = reason !== null ? 'disabled' : failing ? 'failing' : 'active';
  return {
    ...row,
    pattern: new RawJson(pattern),
    status,
    ...(reason !== null && { disabled_reason: reason }),
  } as const;
}

/** @returns null for a webhook that is not disabled */
function whyDisabled({ disabled, readable, reach, pattern }: WebhookView): string | null {
  if (!readable) {
    return 'The key, grant or person that made this webhook has no access to the workspace any more. Delete it and make another one.';
  }
  if (reach !== null && !isWithin(pattern, reach)) {
    return 'The key or grant that made this webhook cannot read the namespaces of this webhook any more. It reports again once its creator can read them.';
  }
  return disabled ? 'Deliveries failed for three days. Send one again: if it succeeds, the webhook is active.' : null;
}

/** Whether there is a namespace that the webhook may report. */
function isWithin(pattern: string, reach: readonly string[]): boolean {
  const { namespace_id: only } = webhookPattern.parse(JSON.parse(pattern));
  return only === undefined ? reach.length > 0 : reach.includes(only);
}
