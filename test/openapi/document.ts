import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { apiDocument } from '../../ops/build/developers/openapi-file.js';
import type { OperationObject, Reference, ResponseObject } from '../../src/http/openapi/shape.js';

/** The description of the API as it is generated now, for tests that compare answers with it. */
export const api = apiDocument();

export interface Described {
  readonly method: string;
  /** As OpenAPI writes it. */
  readonly path: string;
  readonly operation: OperationObject;
}

export const operations: readonly Described[] = Object.entries(api.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
);

export function responseOf(given: ResponseObject | Reference): ResponseObject {
  const found = '$ref' in given ? api.components.responses[given.$ref.split('/').at(-1) ?? ''] : given;
  if (!found) throw new Error(`there is no ${JSON.stringify(given)}`);
  return found;
}

/** The names of the headers that every such response has. */
export const requiredHeadersOf = ({ headers = {} }: ResponseObject): string[] =>
  Object.entries(headers).flatMap(([name, { $ref }]) => {
    const header = api.components.headers[$ref.split('/').at(-1) ?? ''];
    if (!header) throw new Error(`there is no ${$ref}`);
    return header.required ? [name] : [];
  });

// Without its strict mode: the document has keywords of its own (x-…) beside those of JSON Schema.
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema({ $id: 'api', ...api });
const compiled = new Map<unknown, ValidateFunction>();

/** The faults of a value against a schema of the document; empty when it is. */
export function faults(schema: unknown, value: unknown): string[] {
  const known = compiled.get(schema);
  const text = JSON.stringify(schema).replaceAll('"#/components/', '"api#/components/');
  const check = known ?? ajv.compile(JSON.parse(text));
  compiled.set(schema, check);
  return check(value) ? [] : (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** The codes that a status of an operation may come with; empty for an answer that is no refusal. */
export function codesOf(response: ResponseObject): readonly string[] {
  return [...response.description.matchAll(/^- `(\w+)`:/gm)].map(([, code = '']) => code);
}
