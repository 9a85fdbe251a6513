import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Field, Fields } from '../../../contracts/input.js';
import type { BodyKinds } from '../../api/documentation.js';
import { type Bytes, isBytes } from '../../api/operation.js';
import type { Schema } from './shape.js';

/**
 * Converts the schemas that validate into those that are shown, and collects the schemas that have names. The conversion is zod's own.
 * Of the libraries around it, zod-openapi 5.4.6 gives the same document and would save five lines here, and its later versions need
 * Node 22; @asteasolutions/zod-to-openapi 9 leaves out `additionalProperties: false` and the bounds of whole numbers.
 */
export interface Schemas {
  /** The schema of an answer. */
  answer(schema: z.ZodType): Schema;
  /** The schema of a body: its fields under a name, a name for each kind of it, or a schema of its own. */
  body(name: string, fields: Fields | Bytes, kinds?: BodyKinds): Schema;
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
    body(name, fields, kinds) {
      if (isBytes(fields)) return shown(fields.schema ?? z.unknown(), 'input');
      const members = Object.fromEntries(Object.entries(fields).map(([key, { described }]) => [key, described]));
      const { properties = {}, ...rest } = shown(z.strictObject(members), 'input');
      const whole = { ...rest, properties: withCodes(fields, properties) };
      if (kinds) for (const [kind, schema] of kindsOf(whole, kinds)) keep(kind, schema);
      keep(name, kinds ? oneOfKinds(kinds) : whole);
      return reference(name);
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

const reference = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

/** Each member with the code that it is refused with when it is wrong. */
function withCodes(fields: Fields, properties: unknown): Schema {
  return Object.fromEntries(
    Object.entries(isSchema(properties) ? properties : {}).map(([name, schema]) => [
      name,
      { ...withDefaultInWords(isSchema(schema) ? schema : {}), 'x-refused-with': fields[name]?.code },
    ]),
  );
}

/** Generators for TypeScript require members that have a default, because answers have them always. A request may omit them. */
function withDefaultInWords({ default: standard, ...schema }: Schema): Schema {
  if (standard === undefined || isDeepStrictEqual(standard, [])) return schema;
  const said = `Default: ${[standard].flat().join(' and ')}.`;
  return { ...schema, description: [schema.description, said].filter((text) => text !== undefined).join(' ') };
}

/** The shape of each kind of a body: the members of all kinds, those that it needs, and those that it may have. */
function kindsOf({ properties, required, ...rest }: Schema, { by, of }: BodyKinds): [string, Schema][] {
  const all = isSchema(properties) ? properties : {};
  const needed = Array.isArray(required) ? required : [];
  const ofSome = new Set(Object.values(of).flatMap(({ needs, takes }) => [...needs, ...takes]));
  return Object.entries(of).map(([kind, { name, needs, takes }]) => {
    const shown = Object.entries(all).filter(([key]) => !ofSome.has(key) || [...needs, ...takes].includes(key));
    const { enum: _, ...discriminator } = isSchema(all[by]) ? all[by] : {};
    const members = { ...Object.fromEntries(shown), [by]: { ...discriminator, type: 'string', const: kind } };
    return [name, { ...rest, properties: members, required: [...new Set([...needed, ...needs])] }];
  });
}

function oneOfKinds({ by: propertyName, of }: BodyKinds): Schema {
  const names = Object.entries(of).map(([kind, { name }]) => [kind, reference(name).$ref]);
  return {
    oneOf: Object.values(of).map(({ name }) => reference(name)),
    discriminator: { propertyName, mapping: Object.fromEntries(names) },
  };
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

/** Several types in one list mean the same as alternatives, which more generators of clients read: one for Go knows no such list. */
function withTypesApart(_key: string, value: unknown): unknown {
  if (!isSchema(value) || !Array.isArray(value.type)) return value;
  const { type, ...rest } = value;
  if (type.filter((one) => one !== 'null').length < 2) return value;
  return { ...rest, anyOf: type.map((one) => ({ type: one })) };
}

/** A copy whose references lead to the components. */
function referring(schema: unknown): Schema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'), withTypesApart);
}
