import type { z } from 'zod';
import { type ErrorCode, Refusal } from './errors.js';

/** One field of a body or query: what it must be, and the code that a wrong value is refused with. */
export interface Field<S extends z.ZodType = z.ZodType> {
  readonly schema: S;
  readonly code: ErrorCode;
  /** How it is described where the schema leaves to a function what is to be said of it. */
  readonly described: z.ZodType;
}

export type Fields = Readonly<Record<string, Field>>;
export type InputOf<F extends Fields> = { [K in keyof F]: z.output<F[K]['schema']> };

export function field<S extends z.ZodType>(schema: S, code: ErrorCode, described: z.ZodType = schema): Field<S> {
  return { schema, code, described };
}

/**
 * Checks the fields in the order they are declared in, which is the order callers are told of faults.
 * @throws Refusal with the code of the first field that is wrong; the message says what is wrong with it.
 */
export function readFields<F extends Fields>(fields: F, given: Readonly<Record<string, unknown>>): InputOf<F>;
export function readFields(fields: Fields, given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const read: Record<string, unknown> = {};
  for (const [name, { schema, code }] of Object.entries(fields)) {
    const result = schema.safeParse(given[name]);
    if (!result.success) {
      const [issue] = result.error.issues;
      const where = [name, ...(issue?.path ?? [])].join('.');
      throw new Refusal(code, `${where}: ${issue?.message ?? 'wrong value'}.`);
    }
    read[name] = result.data;
  }
  return read;
}

/** @throws Refusal unknown_field, or the code that the call has for it, when `given` has a member that is not among `fields`. */
export function refuseUnknown(
  fields: Fields,
  given: Readonly<Record<string, unknown>>,
  code: ErrorCode | true = true,
): void {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(fields, name));
  if (unknown !== undefined) {
    throw new Refusal(
      code === true ? 'unknown_field' : code,
      `This call does not take the field ${unknown.slice(0, 64)}.`,
    );
  }
}
