import fc from 'fast-check';
import { isSchema } from '../../src/http/openapi/schemas.js';
import type { Schema } from '../../src/http/openapi/shape.js';
import { api } from '../openapi/document.js';

/** Filters hold filters: deeper ones than these are made by hand below. */
const depth = 4;

/** Text of all kinds that may are in JSON: with NUL, with halves of surrogate pairs, right to left, and long. */
export const text: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 }).map((units) => String.fromCharCode(...units)),
  fc.constantFrom(
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    'x\udfff',
    '‮evil',
    'ﬁ',
    '🏳️‍🌈'.repeat(70),
    "'; drop table entries; --",
  ),
  fc.constantFrom('-', '"', '\\', '"unclosed', 'a OR', '-word OR "b c"', '%', '_', '(', ':*', '<->', '&!|', '$1'),
  fc
    .tuple(fc.constantFrom('-', '- ', '-(', '-"', '!', '(', '"a ', 'a or '), fc.integer({ min: 20, max: 900 }))
    .map(([part, times]) => part.repeat(times)),
  fc.constantFrom('ada@example.org', '+351 912 345 678', '4111 1111 1111 1111', 'DE89370400440532013000'),
  fc.integer({ min: 250, max: 70_000 }).map((length) => 'é'.repeat(length)),
);

/** A value where something else should be. */
export const hostile: fc.Arbitrary<unknown> = fc.oneof(
  text,
  fc.constantFrom<unknown>(null, true, false, 0, -1, 1e308, -0, 0.5, 2 ** 53, [], {}, [[]], [null], '0', 'true'),
  fc.double(),
  fc.jsonValue({ maxDepth: 4 }),
  fc.array(fc.uuid(), { maxLength: 4 }),
  fc.array(text, { maxLength: 3 }),
  fc.constantFrom<unknown>({ __proto__: null, constructor: { prototype: 1 } }, JSON.parse('{"__proto__":{"a":1}}')),
  fc.integer({ min: 1, max: 90 }).map((levels) => nested(levels)),
  fc.constantFrom(66_000).map((length) => Array.from({ length }, (_, n) => n)),
  fc.constantFrom(101, 1001).map((length) => Array.from({ length }, () => '018f0000-0000-7000-8000-000000000000')),
);

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { all: value };
  return value;
}

/** Of members whose schema allows more than there is: what there is. Without these most writes would find nothing to write to. */
const there: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  namespace: fc.constant('default'),
  move_to: fc.constant('default'),
  namespace_ids: fc.constantFrom<unknown>(['default'], undefined),
  cursor: fc.constantFrom('', 'AAAA', 'a.b'),
  filename: fc.constantFrom('a.txt', 'a.pdf', 'a.html', 'a.bin', 'ü'),
  content_type: fc.constantFrom('text/plain', 'application/pdf', 'text/html; charset=utf-16', 'image/png', 'x'),
  data_base64: fc
    .oneof(text, fc.constant('%PDF-1.7'), fc.constant('<p>x</p>'))
    .map((one) => Buffer.from(one).toString('base64')),
  url: fc.constantFrom(
    'http://127.0.0.1/',
    'http://[::1]:80/',
    'http://10.0.0.1/',
    'https://169.254.169.254/x',
    'http://0x7f.1/',
  ),
};

/** Values that a schema of the description allows. */
export function valid(schema: Schema, level = 0): fc.Arbitrary<unknown> {
  if (typeof schema.$ref === 'string')
    return valid(api.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, level);
  const choices = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(choices)) return fc.oneof(...choices.filter(isSchema).map((one) => valid(one, level)));
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  if ('const' in schema) return fc.constant(schema.const);
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type) => valid({ ...schema, type }, level)));
  return ofType(schema, level);
}

function ofType(schema: Schema, level: number): fc.Arbitrary<unknown> {
  switch (schema.type) {
    case 'string':
      return strings(schema);
    case 'integer':
      return fc.integer({ min: Number(schema.minimum ?? -5), max: Number(schema.maximum ?? 1_000_000) });
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(valid(isSchema(schema.items) ? schema.items : {}, level + 1), {
        minLength: Number(schema.minItems ?? 0),
        maxLength: Math.max(
          Number(schema.minItems ?? 0),
          Math.min(Number(schema.maxItems ?? 4), level > depth ? 0 : 4),
        ),
      });
    case 'object':
      return objects(schema, level);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function strings({ format, minLength = 0, maxLength = 60, pattern }: Schema): fc.Arbitrary<string> {
  if (format === 'uuid') return fc.uuid();
  if (format === 'date-time')
    return fc.oneof(
      fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-12-31') }).map((date) => date.toISOString()),
      fc
        .tuple(
          fc.constantFrom('0000', '0001', '1969', '2026', '9999'),
          fc.constantFrom('.0', '', `.${'1'.repeat(300)}`),
          fc.constantFrom('Z', '+14:00', '+15:59', '-16:00', '+23:59'),
        )
        .map(([year, fraction, offset]) => `${year}-01-31T23:59:59${fraction}${offset}`),
    );
  if (pattern === '^[0-9a-f]{64}$')
    return fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 64, maxLength: 64 });
  return fc.string({ unit: 'grapheme', minLength: Number(minLength), maxLength: Math.min(60, Number(maxLength)) });
}

function objects({ properties, required, additionalProperties }: Schema, level: number): fc.Arbitrary<unknown> {
  if (!isSchema(properties)) {
    const member = isSchema(additionalProperties)
      ? valid(additionalProperties, level + 1)
      : fc.jsonValue({ maxDepth: 2 });
    return fc.dictionary(fc.string({ unit: 'grapheme', maxLength: 12 }), member, { maxKeys: level > depth ? 0 : 4 });
  }
  // What continues into itself ends somewhere.
  const members = Object.entries(properties).filter(([name]) => level < depth || !['all', 'any', 'not'].includes(name));
  const models = Object.fromEntries(
    members.map(([name, one]) => [name, there[name] ?? valid(isSchema(one) ? one : {}, level + 1)]),
  );
  const needed = Array.isArray(required) ? required.filter((name) => name in models) : [];
  return fc.record(models, { requiredKeys: needed });
}
