import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Field, Fields } from '../../../contracts/input.js';
import { type Bytes, isBytes } from '../../api/operation.js';
import type { Schema } from './shape.js';

/** Converts the schemas that validate into those that are shown, and collects the schemas that have names. */
export interface Schemas {
  /** The schema of an answer. */
  answer(schema: z.ZodType): Schema;
  /** The schema of a body: its fields under a name, or a schema of its own. */
  body(name: string, fields: Fields | Bytes): Schema;
  /** The schema of one query parameter. */
  query(field: Field): Schema;
  /** Name → schema, for all schemas that were requested until now. */
  named(): Readonly<Record<string, Schema>>;
}

export function createSchemas(): Schemas {
  const components = new Map<string, Schema>();

  function shown(schema: z.ZodType, io: 'input' | 'output'): Schema {
    // As a member of something else a schema with a name is always a reference, also when it speaks of itself.
    const { $defs = {}, properties = {} } = z.toJSONSchema(z.object({ it: schema }), {
      io,
      unrepresentable: 'any',
      override: ({ jsonSchema }) => tidy(jsonSchema),
    });
    for (const [name, definition] of Object.entries($defs)) keep(name, referring(definition));
    return referring(properties.it);
  }

  function keep(name: string, schema: Schema): void {
    const known = components.get(name);
    if (known && !isDeepStrictEqual(known, schema)) throw new Error(`two shapes have the name ${name}`);
    components.set(name, schema);
  }

  return {
    answer: (schema) => shown(schema, 'output'),
    body(name, fields) {
      if (isBytes(fields)) return shown(fields.schema ?? z.unknown(), 'input');
      const members = Object.fromEntries(Object.entries(fields).map(([key, { described }]) => [key, described]));
      const { properties = {}, ...rest } = shown(z.strictObject(members), 'input');
      keep(name, { ...rest, properties: withCodes(fields, properties) });
      return { $ref: `#/components/schemas/${name}` };
    },
    query({ described }) {
      // A query is text; what it is read as says more: a number in bounds, a list. A flag is read by a function.
      const read = shown(described, 'output');
      const schema = 'type' in read || 'enum' in read ? read : shown(described, 'input');
      if (!isDeepStrictEqual(schema.enum, ['true', 'false'])) return schema;
      const { enum: _, ...rest } = schema;
      return { ...rest, type: 'boolean' };
    },
    named: () => Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** Each member with the code that it is refused with when it is wrong. */
function withCodes(fields: Fields, properties: unknown): Schema {
  return Object.fromEntries(
    Object.entries(isSchema(properties) ? properties : {}).map(([name, schema]) => [
      name,
      { ...(isSchema(schema) ? schema : {}), 'x-refused-with': fields[name]?.code },
    ]),
  );
}

export function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Drops what says nothing to a reader: patterns that spell out a format, bounds of the number type, keys that are strings. */
function tidy(schema: Record<string, unknown>): void {
  if (schema.format === 'uuid' || schema.format === 'guid') {
    delete schema.pattern;
    schema.format = 'uuid';
  }
  if (schema.format === 'date-time') delete schema.pattern;
  if (schema.format === 'base64') {
    delete schema.pattern;
    delete schema.format;
    schema.contentEncoding = 'base64';
  }
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (isDeepStrictEqual(schema.propertyNames, { type: 'string' })) delete schema.propertyNames;
}

/** A copy whose references lead to the components. */
function referring(schema: unknown): Schema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));
}
