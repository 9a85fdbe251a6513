import { expect, it } from 'vitest';
import { z } from 'zod';
import { field } from '../../contracts/input.js';
import { operation } from '../../src/api/operation.js';
import { RawJson } from '../../src/base/json-text.js';

/** The compiler checks most of this file: `npm run typecheck` fails when a line that must not compile does compile. */

const greeting = z.object({
  greeting: z.string(),
  language: z.enum(['de', 'en']),
  tags: z.record(z.string(), z.unknown()),
});
const of = {
  method: 'POST',
  path: '/v1/greetings',
  summary: 'Greet a person',
  answers: { 200: greeting, 404: { contentType: 'text/plain', description: 'No greeting.' } },
  refusals: [],
  documentation: { id: 'greet', answers: {} },
} as const;
const body = { greeting: 'Hello', language: 'en', tags: new RawJson('{}') } as const;

it('has an answer with the shape of its status', () => {
  const right = [
    operation({ ...of, access: 'anybody', handle: async () => ({ status: 200, body }) }),
    operation({ ...of, access: 'anybody', handle: async () => ({ status: 200, body: new RawJson('{}') }) }),
    operation({ ...of, access: 'anybody', handle: async () => ({ status: 404, body: 'none' }) }),
    // @ts-expect-error: a status that the operation does not have
    operation({ ...of, access: 'anybody', handle: async () => ({ status: 201, body }) }),
    // @ts-expect-error: a member is missing
    operation({ ...of, access: 'anybody', handle: async () => ({ status: 200, body: { greeting: 'Hello' } }) }),
    // @ts-expect-error: a member has another type
    operation({ ...of, access: 'anybody', handle: async () => ({ status: 200, body: { ...body, language: 'fr' } }) }),
    // @ts-expect-error: the body of another status
    operation({ ...of, access: 'anybody', handle: async () => ({ status: 404, body }) }),
  ];
  expect(right.every(({ path }) => path === '/v1/greetings')).toBe(true);
});

it('gives its handler the identity of its audience, and its fields with their types', () => {
  const input = { name: field(z.string(), 'invalid_name') };
  const handle = async () => ({ status: 404, body: '' }) as const;
  const given = [
    operation({
      ...of,
      access: 'memory.read',
      body: input,
      handle: async (r) => (r.caller.workspaceId && r.body.name ? handle() : handle()),
    }),
    operation({ ...of, access: 'a session', handle: async (r) => (r.session.person.email ? handle() : handle()) }),
    // @ts-expect-error: an operation for anyone has no caller
    operation({ ...of, access: 'anybody', handle: async (r) => (r.caller ? handle() : handle()) }),
    // @ts-expect-error: a session is no caller of a workspace
    operation({ ...of, access: 'a session', handle: async (r) => (r.caller ? handle() : handle()) }),
    operation({
      ...of,
      access: 'memory.read',
      body: input,
      // @ts-expect-error: there is no such field
      handle: async (r) => (r.body.surname ? handle() : handle()),
    }),
  ];
  expect(given.map(({ access }) => access)).toEqual([
    'memory.read',
    'a session',
    'anybody',
    'a session',
    'memory.read',
  ]);
});
