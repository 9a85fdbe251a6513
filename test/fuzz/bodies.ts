import fc from 'fast-check';
import { isSchema } from '../../src/http/openapi/schemas.js';
import type { Schema } from '../../src/http/openapi/shape.js';
import { hostile, text, valid } from './values.js';

export type Body = string | Uint8Array | undefined;

/** Bodies for a schema: as it says, with members that are wrong, missing or too many, and what is no JSON at all. */
export function bodies(schema: Schema | undefined): fc.Arbitrary<Body> {
  if (!schema) return fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, noJson, jsonText(hostile));
  const good = valid(schema);
  return fc.oneof(
    { weight: 8, arbitrary: jsonText(good) },
    { weight: 6, arbitrary: jsonText(fc.tuple(good, fc.array(change, { minLength: 1, maxLength: 3 })).map(changed)) },
    { weight: 1, arbitrary: jsonText(hostile) },
    { weight: 2, arbitrary: fc.tuple(jsonText(good), fc.nat()).map(([json, at]) => spoilt(json, at)) },
    { weight: 1, arbitrary: noJson },
  );
}

function jsonText(value: fc.Arbitrary<unknown>): fc.Arbitrary<string> {
  return value.map((one) => JSON.stringify(one) ?? 'null');
}

const noJson: fc.Arbitrary<Body> = fc.oneof(
  fc.constantFrom<Body>(
    undefined,
    '',
    ' ',
    '{',
    '[]',
    'null',
    '"text"',
    '1',
    '{"a":1,}',
    "{'a':1}",
    '\ufeff{}',
    '{}{}',
  ),
  fc.constantFrom<Body>('{"content":"a","content":"b"}', '{"content":"a","metadata":{"k":1e999,"k2":-0}}'),
  fc.constantFrom<Body>('['.repeat(100_000), '{"a":'.repeat(5000), `{"content":"${'x'.repeat(1_100_000)}"}`),
  fc.uint8Array({ maxLength: 200 }),
  text,
);

interface Change {
  readonly at: number;
  readonly how: 'replace' | 'remove' | 'add';
  readonly name: string;
  readonly value: unknown;
}

const change: fc.Arbitrary<Change> = fc.record({
  at: fc.nat(),
  how: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'add'),
  name: fc.oneof(text, fc.constantFrom('__proto__', 'constructor', 'toString', 'id', 'workspace_id', 'role')),
  value: hostile,
});

function changed([value, changes]: [unknown, Change[]]): unknown {
  if (!isSchema(value)) return changes[0]?.value;
  const members = new Map(Object.entries(value));
  for (const { at, how, name, value: other } of changes) {
    const names = [...members.keys()];
    const chosen = names[at % Math.max(1, names.length)];
    if (how === 'add' || chosen === undefined) members.set(name, other);
    else if (how === 'remove') members.delete(chosen);
    else members.set(chosen, other);
  }
  return Object.fromEntries(members);
}

/** JSON that is nearly right: cut off, with a key twice, or with a character too many. */
function spoilt(json: string, at: number): string {
  switch (at % 4) {
    case 0:
      return json.slice(0, at % Math.max(1, json.length));
    case 1:
      return json.replace(/^\{("(?:[^"\\]|\\.)*":)/, '{$1null,$1');
    case 2:
      return `${json.slice(0, at % Math.max(1, json.length))}\u0001${json.slice(at % Math.max(1, json.length))}`;
    default:
      return `${json}${json}`;
  }
}
