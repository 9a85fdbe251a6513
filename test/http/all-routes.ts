import { codesOf, operations, responseOf } from '../openapi/document.js';

/** Every operation under /v1/, with an address that leads to it and all codes that it documents. */
export const all = operations
  .filter(({ path }) => path.startsWith('/v1/'))
  .map(({ method, path, operation }) => ({
    method,
    path,
    name: `${method} ${path}`,
    url: path.replace(/\{\w+\}/g, 'x'),
    codes: new Set(Object.values(operation.responses).flatMap((one) => codesOf(responseOf(one)))),
    /** As in its example. */
    body: operation.requestBody?.content['application/json']?.examples?.request?.value,
  }));
export type Route = (typeof all)[number];

/** Those that document a code. */
export const may = (code: string) => all.filter(({ codes }) => codes.has(code));
