import { Refusal } from '../../contracts/errors.js';
import { inWords } from '../../contracts/in-words.js';
import { limits } from '../../contracts/limits.js';
import { type WebhookPattern, webhookPattern } from '../../contracts/webhooks.js';
import { exactObject, TooManyDigits } from './exact-json.js';

/**
 * The `pattern` of a body with every number as it was sent. The body has been read before.
 * @param texts the texts of the members of the body
 * @throws Refusal invalid_request
 */
export function sentPattern(texts: ReadonlyMap<string, string>): WebhookPattern {
  const read = webhookPattern.safeParse(exactly(texts.get('pattern') ?? '{}'), { error: inWords });
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  return refuse(`${['pattern', ...(issue?.path ?? [])].join('.')}: ${issue?.message ?? 'wrong value'}.`);
}

function exactly(text: string): Readonly<Record<string, unknown>> {
  try {
    return exactObject(text);
  } catch (error) {
    if (error instanceof TooManyDigits) refuse(`pattern: a number has more than ${limits.filterDigits} digits.`);
    throw error;
  }
}

function refuse(sentence: string): never {
  throw new Refusal('invalid_request', sentence);
}

/** A number that a float does not keep has at least 16 digits, which may have a point among them. */
const mayBeExact = /\d[\d.]{15}/;

/** A pattern as it is stored. Every one of a workspace is read for each memory, so usual ones are read in the fastest way. */
export function storedPattern(text: string): WebhookPattern {
  return mayBeExact.test(text) ? webhookPattern.parse(exactObject(text)) : JSON.parse(text);
}
