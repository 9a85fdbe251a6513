import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { field } from '../../contracts/input.js';
import { searchIn } from '../../contracts/search.js';
import { argument, argumentList } from '../../src/mcp/tools/argument-list.js';

const named = (schema: z.ZodType, words: Parameters<typeof argument>[1]) =>
  argumentList('unknown_field', { it: argument(field(schema, 'invalid_name'), words) });
const shown = (schema: z.ZodType, words: Parameters<typeof argument>[1]) => named(schema, words).schema.properties.it;

describe('the arguments of a tool', () => {
  // @covers MCPT-SCHEMA
  it('have the types, bounds and codes of the fields of the API, and words of their own', () => {
    const list = argumentList('unknown_field', {
      query: argument(searchIn.query, 'What to look for.'),
      k: argument(searchIn.k, 'The most hits.'),
    });
    expect(list).toMatchObject({ codes: { query: 'invalid_query', k: 'invalid_k' }, nullable: [] });
    expect(list.schema).toEqual({
      type: 'object',
      properties: {
        query: { type: 'string', minLength: 1, maxLength: 2000, description: 'What to look for.' },
        k: { type: 'integer', minimum: 1, maximum: 50, default: 8, description: 'The most hits.' },
      },
      required: ['query'],
      additionalProperties: false,
    });
  });

  // @covers MCPT-SCHEMA
  it('have one type each: the list of a value or a list, and the value of a value or null', () => {
    const text = z.string().min(1).max(9);
    const list = z.union([text, z.array(text).max(3)]).optional();
    expect(shown(list, { says: 'Texts.', items: { says: 'One.' } })).toEqual({
      type: 'array',
      maxItems: 3,
      items: { type: 'string', minLength: 1, maxLength: 9, description: 'One.' },
      description: 'Texts.',
    });
    expect(shown(text.nullish(), 'A text.')).toMatchObject({ type: 'string', minLength: 1, maxLength: 9 });
    expect(named(text.nullish(), 'A text.').nullable).toEqual(['it']);
    expect(shown(text, { says: 'A text.', unbounded: true })).toEqual({ type: 'string', description: 'A text.' });
    const share = { type: 'number', minimum: 0, maximum: 1, description: 'A share.' };
    expect(shown(z.number().min(0).max(1).optional(), 'A share.')).toEqual(share);
    expect(() => shown(z.number().min(0), 'A number.')).toThrow('without bounds');
  });

  // @covers MCPT-DESCRIBED
  it('say something of every member, and of nothing else', () => {
    const shape = z.object({ a: z.boolean() }).optional();
    expect(() => shown(shape, { says: 'It.', members: {} })).toThrow('no words about the member a');
    const more = { a: { says: 'A.' }, b: { says: 'B.' } };
    expect(() => shown(shape, { says: 'It.', members: more })).toThrow('words about b, which is no member');
    expect(() => shown(z.array(z.string()), 'A list.')).toThrow('a list without elements');
    expect(() => shown(z.unknown(), 'Anything.')).toThrow('a schema without a type');
  });
});
