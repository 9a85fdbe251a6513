import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { errors } from '../../contracts/errors.js';
import { openapiFile, openapiText } from '../../ops/build/developers/openapi-file.js';
import { isBytes } from '../../src/api/operation.js';
import { operations as served } from '../../src/api/operations.js';
import { shownPath } from '../../src/http/openapi/paths.js';
import { api, codesOf, faults, operations, responseOf } from './document.js';

const keys = served.map((operation) => `${operation.method} ${shownPath(operation)}`);

describe('the description of the API', () => {
  it('is the one that is checked in; if not: npm run openapi', () => {
    expect(readFileSync(openapiFile, 'utf8') === openapiText()).toBe(true);
  });

  it('means to readers of YAML what it means to us', () => {
    const text = readFileSync(openapiFile, 'utf8');
    for (const version of ['1.1', '1.2'] as const) expect(parse(text, { version })).toEqual(api);
  });

  // @covers VERSION-AGREE
  it('has every operation once, and no others', () => {
    expect(operations.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([...keys].sort());
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  });

  it('has an example of the request and of every answer of each operation', () => {
    const missing = operations.flatMap(({ method, path, operation }) => {
      const key = `${method} ${path}`;
      const request = operation.requestBody?.content['application/json'];
      const none = request && !request.examples && method !== 'DELETE' ? [`${key}, its request`] : [];
      const answers = Object.entries(operation.responses).flatMap(([status, given]) =>
        Object.entries(responseOf(given).content ?? {})
          // Bytes are not shown.
          .filter(([type, { examples }]) => !/^application\/(octet-stream|x-protobuf)$/.test(type) && !examples)
          .map(() => `${key}, its answer ${status}`),
      );
      return [...none, ...answers];
    });
    expect(missing).toEqual([]);
  });

  it('has examples that are as the shapes beside them say', () => {
    const wrong = operations.flatMap(({ method, path, operation }) => {
      const answers = Object.values(operation.responses).map(responseOf);
      return [operation.requestBody, ...answers].flatMap((given) =>
        Object.values(given?.content ?? {}).flatMap(({ schema, examples = {} }) =>
          Object.values(examples).flatMap(({ value }) =>
            faults(schema, value).map((what) => `${method} ${path}${what}`),
          ),
        ),
      );
    });
    expect(wrong).toEqual([]);
  });

  it('has examples in requests that are taken by what reads them', () => {
    for (const { body, documentation } of served) {
      const { request } = documentation;
      if (typeof request !== 'object' || request === null || isBytes(body)) continue;
      for (const [name, value] of Object.entries(request)) {
        const field = Object.entries(body).find(([key]) => key === name)?.[1];
        expect([name, field?.schema.safeParse(value).success]).toEqual([name, true]);
      }
    }
  });

  // @covers VERSION-CODES
  it('has every code of the table of errors, with its sentence', () => {
    const described = new Set(
      operations.flatMap(({ operation }) =>
        Object.values(operation.responses).flatMap((one) => codesOf(responseOf(one))),
      ),
    );
    // Only MCP takes short ids.
    const ofMcp = ['ambiguous_id'];
    const missing = Object.keys(errors).filter((code) => !described.has(code));
    expect(missing).toEqual(ofMcp);
  });

  it('has patterns that readers in other languages know', () => {
    const patterns = new Set<string>();
    JSON.stringify(api, (name, value: unknown) => {
      if (name === 'pattern' && typeof value === 'string') patterns.add(value);
      return value;
    });
    expect(patterns.size).toBeGreaterThan(10);
    // Classes of Unicode, code points in braces, names of groups and looking behind are written in other ways elsewhere, or missing.
    expect([...patterns].filter((pattern) => /\\[pPu]\{|\(\?<|\\[ck]/.test(pattern))).toEqual([]);
  });

  it('says of every parameter what it is', () => {
    const unsaid = operations.flatMap(({ operation }) =>
      operation.parameters.flatMap((one) => ('$ref' in one || one.description.length > 10 ? [] : [one.name])),
    );
    expect(unsaid).toEqual([]);
  });

  // @covers VERSION-CLIENTS
  it('refuses with one named shape for each status, so that generated clients have few types', () => {
    const shapes = operations.flatMap(({ operation }) =>
      Object.entries(operation.responses)
        .filter(([, given]) => codesOf(responseOf(given)).length > 0)
        .map(([status, given]) => [status, responseOf(given).content?.['application/json']?.schema]),
    );
    expect(shapes.length).toBeGreaterThan(500);
    for (const [status, schema] of shapes) expect(schema).toEqual({ $ref: `#/components/schemas/Error${status}` });
    const refused = { error: { code: 'invalid_k', message: '', details: {}, request_id: '' } };
    expect(faults({ $ref: '#/components/schemas/Error400' }, refused)).toEqual([]);
    expect(faults({ $ref: '#/components/schemas/Error404' }, refused)).not.toEqual([]);
  });

  // @covers VERSION-CLIENTS
  it('requires no member of a body that has a default, and lists no types that generators cannot read', () => {
    const { schemas } = api.components;
    const ofBodies = Object.entries(schemas).filter(([name]) => name.endsWith('In'));
    expect(ofBodies.filter(([, schema]) => JSON.stringify(schema).includes('"default":'))).toEqual([]);
    expect(schemas.SearchIn ?? schemas.MemorySearchIn).toMatchObject({
      required: ['query'],
      properties: { k: { description: expect.stringContaining('Default: 8.') } },
    });
    const lists = [...JSON.stringify(api).matchAll(/"type":(\[[^\]]*\])/g)].map(([, types = '']) => types);
    expect(
      [...new Set(lists)].filter((types) => types.split(',').filter((one) => !one.includes('null')).length > 1),
    ).toEqual([]);
  });

  // @covers VERSION-CLIENTS
  it('says what an import needs by its kind', () => {
    const isImport = (body: object) => faults({ $ref: '#/components/schemas/ImportIn' }, body).length === 0;
    expect(isImport({ kind: 'text', content: 'a' })).toBe(true);
    expect(isImport({ kind: 'file', filename: 'a.txt', data_base64: 'YQ==' })).toBe(true);
    expect(isImport({ kind: 'url', url: 'https://example.org/', namespace: 'travel' })).toBe(true);
    expect(
      [{ kind: 'text' }, { kind: 'file', filename: 'a' }, { kind: 'url' }, { content: 'a' }].map(isImport),
    ).toEqual([false, false, false, false]);
  });
});
