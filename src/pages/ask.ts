import type { z } from 'zod';
import { type Answer, Encoded } from '../api/answer.js';
import { type Call, call } from '../api/call.js';
import type { WorkspaceOperation } from '../api/operation.js';
import { stringify } from '../base/json-text.js';
import type { PageParts, PersonRequest } from './page.js';

/**
 * Calls an operation of the API as the person who uses the page, and reads its answer by its shape.
 * @throws Refusal as the REST route does
 */
export async function ask<T extends z.ZodType>(
  shape: T,
  operation: WorkspaceOperation,
  { visitor: { caller }, client }: Pick<PersonRequest, 'visitor' | 'client'>,
  given: Omit<Call, 'caller' | 'client'>,
  parts: PageParts,
): Promise<z.output<T>> {
  return read(shape, await call(operation, { ...given, caller, client }, parts));
}

/** An answer may be JSON in bytes, or hold JSON texts, which are values only after they were written and read. */
export function read<T extends z.ZodType>(shape: T, { body }: Answer): z.output<T> {
  const text = body instanceof Encoded ? Buffer.from(body.bytes).toString('utf8') : stringify(body);
  return shape.parse(JSON.parse(text));
}
