import type { z } from 'zod';
import { type Answer, Encoded } from '../api/answer.js';
import { type Call, call } from '../api/call.js';
import type { WorkspaceOperation } from '../api/operation.js';
import { stringify } from '../base/json-text.js';
import type { PageParts, PersonRequest } from './page.js';

type Asking = Pick<PersonRequest, 'visitor' | 'client'> & Partial<Pick<PersonRequest, 'recorded'>>;

/**
 * Calls an operation of the API as the person who uses the page, and reads its answer by its shape. The request remembers the receipt of what was recorded.
 * @throws Refusal as the REST route does
 */
export async function ask<T extends z.ZodType>(
  shape: T,
  operation: WorkspaceOperation,
  { visitor: { caller }, client, recorded }: Asking,
  given: Omit<Call, 'caller' | 'client'>,
  parts: PageParts,
): Promise<z.output<T>> {
  const answer = await call(operation, { ...given, caller, client }, parts);
  if (recorded && answer.receipt) recorded.receipt = answer.receipt;
  return read(shape, answer);
}

/** An answer may be JSON in bytes, or hold JSON texts, which are values only after they were written and read. */
export function read<T extends z.ZodType>(shape: T, { body }: Answer): z.output<T> {
  const text = body instanceof Encoded ? Buffer.from(body.bytes).toString('utf8') : stringify(body);
  return shape.parse(JSON.parse(text));
}
