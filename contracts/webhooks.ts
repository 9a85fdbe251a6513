import { z } from 'zod';
import { field } from './input.js';
import { limits } from './limits.js';
import { memorySummary, shortName, wholeNumber } from './memory.js';
import { comparedValue, recordOf } from './record.js';
import { isStorableJson, storableText, withoutPrototype } from './text.js';

const text = storableText.min(1).max(limits.patternCharacters);
const texts = z.union([text, z.array(text).min(1).max(limits.patternValues)]);

/** Every field that is given must match. */
export const webhookPattern = z
  .strictObject({
    namespace_id: z.guid('must be the id of a namespace').transform((id) => id.toLowerCase()),
    agent_id: text,
    user_id: text,
    app_id: text,
    run_id: text,
    /** One of these, where it is a list. */
    source: texts,
    metadata: recordOf(comparedValue)
      .refine(isStorableJson, 'must be valid Unicode without NUL')
      .refine((given) => Object.keys(given).length > 0, 'must name at least one key')
      .refine((given) => Object.keys(given).length <= limits.patternValues, 'names too many keys')
      .describe(
        `Key → the value that it must have. A key is no path: "a.b" is not b inside of a. Numbers are compared digit by digit, up to ${limits.filterDigits} digits without an exponent.`,
      ),
    /** Words, signs and emoji that the content has, all of them, in any order and case. */
    contains: texts.refine(
      (given) => /[\p{L}\p{N}\p{Extended_Pictographic}\p{Regional_Indicator}]/u.test([given].flat().join(' ')),
      'must hold a word or an emoji',
    ),
  })
  .partial()
  .refine((given) => Object.values(given).some((value) => value !== undefined), 'must have at least one field');

export type WebhookPattern = z.output<typeof webhookPattern>;

export const webhookIn = {
  webhook_url: field(storableText.min(1).max(limits.webhookUrlCharacters), 'invalid_request'),
  name: field(shortName.nullish(), 'invalid_request'),
  /** Its members are read from its text, in which numbers have all their digits (src/domain/stored-pattern.ts). */
  pattern: field(withoutPrototype.pipe(z.record(z.string(), z.unknown())), 'invalid_request', {
    described: webhookPattern,
  }),
} as const;

export const webhook = z
  .object({
    id: z.uuid(),
    name: z.string().nullable(),
    /** Of the address; the rest of it is not shown to anybody again. */
    host: z.string(),
    pattern: webhookPattern,
    status: z.enum(['active', 'failing', 'disabled']),
    disabled_reason: z
      .string()
      .exactOptional()
      .describe('Why nothing is sent to it and what to do, for people; only of a webhook that is disabled.'),
    created_at: z.iso.datetime(),
    /** When something was last sent, and what was answered: null where nothing was. */
    last_delivery_at: z.iso.datetime().nullable(),
    last_status_code: z.int().nullable(),
  })
  .meta({ id: 'Webhook', description: 'An address that is notified of memories; only its host is shown.' });

const whenGone = 'Null if the request is repeated with its Idempotency-Key after the webhook was deleted.';

/** `secret` is shown once, and null to a request that is repeated under its Idempotency-Key. */
export const webhookCreated = webhook
  .extend({
    host: z.string().nullable().describe(whenGone),
    pattern: webhookPattern.nullable().describe(whenGone),
    secret: z.string().nullable(),
  })
  .meta({ id: 'WebhookCreated' });
export const webhookList = z.object({ data: z.array(webhook) }).meta({ id: 'WebhookList' });
export const workspaceWebhooksQuery = {
  limit: field(wholeNumber.pipe(z.int().min(1).max(limits.listMax)).default(limits.listDefault), 'invalid_request'),
  cursor: field(z.string().optional(), 'invalid_cursor'),
} as const;

export const workspaceWebhooks = z
  .object({
    data: z.array(
      webhook
        .extend({
          agent: z
            .object({ agent_id: z.string(), handle: z.string().nullable(), name: z.string().nullable() })
            .describe('The agent that it belongs to: requests about it name this agent_id in x-service-agent.'),
        })
        .meta({ id: 'WebhookOfAgent', description: 'A webhook with the agent that it belongs to.' }),
    ),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: 'WorkspaceWebhooks' });
export const webhookDeleted = z.object({ id: z.uuid(), deleted: z.literal(true) }).meta({ id: 'WebhookDeleted' });

/** The body of a delivery. */
export const admittedMemory = z
  .object({
    id: z.uuid().describe('The id of the delivery, the same for each attempt; also in the header webhook-id.'),
    type: z.literal('memory.admitted'),
    created_at: z.iso.datetime(),
    data: z.object({
      memory: memorySummary,
      receipt_id: z.string().describe('The receipt of the write.'),
      receipt_hash: z.string().describe('Its hash, as the ledger has it.'),
    }),
  })
  .meta({ id: 'MemoryAdmitted', description: 'A memory that is ready and fits the pattern of a webhook.' });

const deliveryStates = ['pending', 'delivered', 'dead'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export const delivery = z
  .object({
    id: z.uuid(),
    webhook_id: z.uuid(),
    memory_id: z.uuid(),
    state: z.enum(deliveryStates),
    /** Since it was last queued. */
    attempts: z.int(),
    last_status_code: z.int().nullable(),
    /** Why the last attempt failed, for people. */
    last_error: z.string().nullable(),
    next_attempt_at: z.iso.datetime().nullable(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Delivery', description: 'The delivery of one memory to one webhook.' });

export const deliveryList = z
  .object({ data: z.array(delivery), next_cursor: z.string().nullable() })
  .meta({ id: 'DeliveryList' });

export const deliveryListQuery = {
  state: field(z.enum(deliveryStates, 'must be pending, delivered or dead').optional(), 'invalid_request'),
  limit: field(wholeNumber.pipe(z.int().min(1).max(limits.listMax)).default(limits.listDefault), 'invalid_request'),
  cursor: field(z.string().optional(), 'invalid_cursor'),
} as const;
