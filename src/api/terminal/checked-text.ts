import type { z } from 'zod';
import { Refusal } from '../../../contracts/errors.js';
import { inWords } from '../../../contracts/in-words.js';

/** A text whose form depends on another member. @throws Refusal invalid_request */
export function checkedText(name: string, schema: z.ZodType<string>, text: string): string {
  const read = schema.safeParse(text, { error: inWords });
  if (read.success) return read.data;
  throw new Refusal('invalid_request', `${name}: ${read.error.issues[0]?.message ?? 'wrong value'}.`);
}
