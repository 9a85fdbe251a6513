import type { z } from 'zod';
import { type ErrorCode, Refusal } from './errors.js';
import { inWords } from './in-words.js';

/** One field of a body or query: what it must be, and the code that a wrong value is refused with. */
export interface Field<S extends z.ZodType = z.ZodType> {
  readonly schema: S;
  readonly code: ErrorCode;
  /** The schema for the description, where the validating schema uses a function. */
  readonly described: z.ZodType;
  readonly most: Most;
  /** Whether a query says its members as `name[key]=value`. */
  readonly isDeep: boolean;
}

/** How large the value of a field may be. It is looked at before the schema, which takes its time for each value. */
export interface Most {
  /** It and everything in it. */
  readonly values: number;
  /** The code of the refusal of a larger one. */
  readonly code: ErrorCode;
  /** The limit in bytes that a value with more values also exceeds; the refusal names it. */
  readonly bytes?: number;
}

/** How large a member of a body is. */
export interface PartSize {
  /** It and everything in it. */
  readonly values: number;
  /** Of its text. */
  readonly bytes: number;
}

export type Fields = Readonly<Record<string, Field>>;
export type InputOf<F extends Fields> = { [K in keyof F]: z.output<F[K]['schema']> };

/** Enough for every field without another limit; few values take no noticeable time. */
const usualValues = 1000;

export function field<S extends z.ZodType>(
  schema: S,
  code: ErrorCode,
  {
    described = schema,
    most = { values: usualValues, code },
    isDeep = false,
  }: Partial<Pick<Field, 'described' | 'most' | 'isDeep'>> = {},
): Field<S> {
  return { schema, code, described, most, isDeep };
}

/** For a list with this number of elements that are not lists or objects. */
export function listOf(elements: number, code: ErrorCode): Most {
  return { values: 1 + elements, code };
}

/**
 * Checks the fields in the order they are declared in, which is the order in which faults are reported.
 * @throws Refusal with the code of the first field that is wrong; the message says what is wrong with it.
 */
export function readFields<F extends Fields>(fields: F, given: Readonly<Record<string, unknown>>): InputOf<F>;
export function readFields(fields: Fields, given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const read: Record<string, unknown> = {};
  for (const [name, { schema, code }] of Object.entries(fields)) {
    const result = schema.safeParse(given[name], { error: inWords });
    if (!result.success) {
      const [issue] = result.error.issues;
      const where = [name, ...(issue?.path ?? [])].join('.');
      throw new Refusal(code, `${where}: ${issue?.message ?? 'wrong value'}.`);
    }
    read[name] = result.data;
  }
  return read;
}

/** A query, with the members of each deep field gathered: `metadata[topic]=x` becomes `{metadata: {topic: 'x'}}`. */
export function gathered(fields: Fields, query: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const deep = Object.keys(fields).filter((name) => fields[name]?.isDeep);
  if (deep.length === 0) return query;
  const members = (name: string) =>
    Object.entries(query).flatMap(([given, value]) =>
      given.startsWith(`${name}[`) && given.endsWith(']') ? [[given.slice(name.length + 1, -1), value] as const] : [],
    );
  const objects = deep.flatMap((name) => (members(name).length > 0 ? [[name, Object.fromEntries(members(name))]] : []));
  return { ...query, ...Object.fromEntries(objects) };
}

/**
 * @param noun what the caller has sent: a field of a body, or a parameter of a query
 * @throws Refusal with this code, when there is a member that is not among `fields`
 */
export function refuseUnknown(
  fields: Fields,
  names: Iterable<string>,
  code: ErrorCode,
  noun: 'field' | 'parameter' = 'field',
): void {
  for (const name of names) {
    if (Object.hasOwn(fields, name)) continue;
    // Its first characters only, and none that a terminal or a log takes for something else.
    const shown = JSON.stringify(name.slice(0, 64).toWellFormed().replace(/\p{C}/gu, '\ufffd'));
    throw new Refusal(code, `This call does not take the ${noun} ${shown}.`);
  }
}

/** @throws Refusal with the code that the first field has for it whose value is too large to be looked at */
export function refuseOversized(fields: Fields, sizes: ReadonlyMap<string, PartSize>): void {
  for (const [name, { most }] of Object.entries(fields)) {
    const { values = 0, bytes = 0 } = sizes.get(name) ?? {};
    if (values <= most.values) continue;
    const details = most.bytes === undefined ? {} : { limit_bytes: most.bytes, size_bytes: bytes };
    throw new Refusal(most.code, `${name}: has ${values} values, more than ${most.values}.`, details);
  }
}
