import { METHODS } from 'node:http';
import fc from 'fast-check';
import type { Parameter, Schema } from '../../src/http/openapi/shape.js';
import { api, type Described } from '../openapi/document.js';
import { type Body, bodies } from './bodies.js';
import { hostile, text, valid } from './values.js';

/** An agent that is linked, for routes that ask for one. */
export const agent = { 'x-service-agent': `agn_${'a'.repeat(32)}` };

/** A request before it is known which ids and credentials there are when it is sent. */
export interface Draft {
  readonly method: string;
  readonly path: string;
  /** Name of a path parameter → what is there. */
  readonly params: Readonly<Record<string, Id>>;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
  /** Chooses among the credentials. */
  readonly who: number;
}

const seldomMethods = METHODS.filter(
  (name) => !['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'CONNECT'].includes(name),
);

/** One that exists, by its number among those, or any text. */
export type Id = { readonly there: number } | { readonly text: string };

export function drafts({ method, path, operation }: Described): fc.Arbitrary<Draft> {
  const parameters = operation.parameters.map((one) =>
    '$ref' in one
      ? Object.entries(api.components.parameters).find(([name]) => one.$ref.endsWith(`/${name}`))?.[1]
      : one,
  );
  const inQuery = parameters.filter((one) => one?.in === 'query').filter((one) => one !== undefined);
  const usual = parameters.some((one) => one?.name === 'x-service-agent' && one.required) ? agent : {};
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const schema: Schema | undefined = operation.requestBody?.content['application/json']?.schema;
  return fc.record({
    // Now and then one that hardly anybody sends.
    method: fc.oneof({ weight: 30, arbitrary: fc.constant(method) }, fc.constantFrom(...seldomMethods)),
    path: fc.constant(path),
    params: fc.record(Object.fromEntries(names.map((name) => [name, id]))),
    query: query(inQuery),
    headers: fc.oneof({ weight: 5, arbitrary: fc.constant<Record<string, string>>(usual) }, headers),
    body: method === 'GET' ? fc.constant(undefined) : bodies(schema),
    // Evenly: small numbers are not more likely than others.
    who: fc.noBias(fc.integer({ min: 0, max: 2 ** 20 })),
  });
}

const id: fc.Arbitrary<Id> = fc.oneof(
  { weight: 6, arbitrary: fc.nat().map((there) => ({ there })) },
  { weight: 1, arbitrary: fc.uuid().map((uuid) => ({ text: uuid })) },
  { weight: 2, arbitrary: segment().map((part) => ({ text: part })) },
);

/** Texts that may be between two slashes of an address, well written or not. */
function segment(): fc.Arbitrary<string> {
  return fc.oneof(
    text.map((part) => encodeURIComponent(part.toWellFormed()).slice(0, 3000) || '%20'),
    fc.constantFrom(
      '%',
      '%zz',
      '%00',
      '%2F',
      '..',
      '%2e%2e',
      '.',
      '~',
      '%ff',
      '%ED%A0%80',
      'x'.repeat(300),
      'a;b=c',
      'A%2fB',
    ),
    fc.constantFrom(
      '018F0000-0000-7000-8000-000000000000',
      '00000000-0000-0000-0000-000000000000',
      'rcp_',
      '0/000.p/1',
    ),
  );
}

function query(parameters: readonly Parameter[]): fc.Arbitrary<string> {
  const known = parameters.map(({ name, schema }) =>
    fc.oneof(
      {
        weight: 3,
        arbitrary: valid(schema).map((value) => pair(name, written(value))),
      },
      {
        weight: 1,
        arbitrary: hostile.map((value) => pair(name, typeof value === 'string' ? value : JSON.stringify(value))),
      },
      { weight: 1, arbitrary: segment().map((part) => `${name}=${part}`) },
    ),
  );
  const unknown = fc.tuple(text, text).map(([name, value]) => pair(name.slice(0, 50), value.slice(0, 500)));
  const some = fc.array(
    fc.oneof({ weight: 1, arbitrary: unknown }, ...known.map((arbitrary) => ({ weight: 4, arbitrary }))),
    {
      maxLength: 4,
    },
  );
  return some.map((pairs) => pairs.join('&').slice(0, 6000));
}

/** A parameter that is an object is written in brackets by clients; as JSON it is refused. */
function written(value: unknown): string {
  if (Array.isArray(value)) return value.join(',');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function pair(name: string, value: string): string {
  return `${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(value.toWellFormed())}`;
}

/** Everything that HTTP itself allows through in a header. */
const headerText = fc.string({
  unit: fc
    .integer({ min: 0x20, max: 0xff })
    .filter((c) => c !== 0x7f)
    .map((c) => String.fromCharCode(c)),
  maxLength: 200,
});

const one = (name: string, value: fc.Arbitrary<string>) => value.map((given): [string, string] => [name, given]);

/** Few of them at a time: most requests are not refused for their headers. */
const headers: fc.Arbitrary<Record<string, string>> = fc
  .array(
    fc.oneof(
      one(
        'content-type',
        fc.oneof(
          fc.constantFrom(
            'application/json',
            'application/json; charset=utf-8',
            'text/plain',
            '',
            ';',
            '*/*',
            'json',
            '/',
          ),
          fc.constantFrom(
            'application/x-www-form-urlencoded',
            'multipart/form-data; boundary=x',
            'application/json; a',
          ),
          headerText,
        ),
      ),
      one(
        'idempotency-key',
        fc.oneof(
          fc.nat(50).map((n) => `key-${n}`),
          headerText,
        ),
      ),
      one('x-service-run', fc.oneof(fc.constant('run-1'), headerText)),
      one('x-service-agent', fc.oneof(fc.constant(''), headerText)),
      one('origin', fc.constantFrom('https://evil.example', 'null', 'http://127.0.0.1', '::')),
      one('sec-fetch-site', fc.constantFrom('cross-site', 'same-origin', 'none', 'x')),
      one('accept', headerText),
    ),
    { maxLength: 1 },
  )
  .map((some) => Object.fromEntries(some));
