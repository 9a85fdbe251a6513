import { z } from 'zod';
import { webhook, webhookDeleted } from '../../../contracts/webhooks.js';
import { RawJson, stringify } from '../../base/json-text.js';
import { shortObject, shortText } from '../results/fitting.js';

/** Patterns are JSON text where they come from the store. */
const pattern = z.unknown().transform((given) => (given instanceof RawJson ? given : new RawJson(stringify(given))));
const shownWebhook = webhook.extend({ pattern });
const shownCreated = webhook.extend({ pattern, secret: z.string().nullable() });
const shownList = z.object({ data: z.array(shownWebhook) });

type ShownWebhook = z.output<typeof shownWebhook>;

/** Reads the body of an answer; one that was stored for a repetition is JSON text as a whole. */
const bodyOf = (body: unknown): unknown => (body instanceof RawJson ? JSON.parse(body.text) : body);

export const readWebhooks = (body: unknown) => shownList.parse(body).data;
export const readCreated = (body: unknown) => shownCreated.parse(bodyOf(body));
export const readDeleted = (body: unknown) => webhookDeleted.parse(body);

/** A subscription with this share of the texts that its agent has chosen. */
export function shortWebhook<W extends ShownWebhook>(given: W, share: number) {
  const { text, isCut } = shortObject(given.pattern.text, share);
  const name = given.name === null ? null : shortText(given.name, share);
  return { ...given, name, pattern: new RawJson(text), ...(isCut && { pattern_truncated: true }) };
}

/** One line about a subscription. */
export function inWords({
  id,
  name,
  host,
  status,
  pattern: { text },
  last_status_code,
  ...more
}: ShownWebhook): string {
  const called = name === null ? '' : ` ${JSON.stringify(name)}`;
  const last = last_status_code === null ? 'nothing sent yet' : `last answer ${last_status_code}`;
  const why = more.disabled_reason === undefined ? '' : `. ${more.disabled_reason}`;
  return `Subscription ${id}${called} to ${host}, ${status}, ${last}, pattern ${text}${why}`;
}
