import type { ApiDocument } from '../../../src/http/openapi/shape.js';
import { codesOf, responseOf } from './operation.js';
import type { Tag } from './place.js';

/** The names of the shapes that the page of a tag refers to, and of those that these refer to. */
export function shapesOf({ places }: Tag, api: ApiDocument): ReadonlySet<string> {
  const shown = places.map(({ operation: { parameters, requestBody, responses } }) => [
    parameters,
    requestBody,
    Object.values(responses)
      .map((given) => responseOf(given, api))
      .filter((response) => codesOf(response).length === 0),
  ]);
  return withParts(namedIn(shown), api);
}

/** These shapes, and those that they refer to. */
export function withParts(names: readonly string[], { components: { schemas } }: ApiDocument): ReadonlySet<string> {
  const found = new Set(names);
  // A set that grows while it is walked through yields what is added too.
  for (const name of found) for (const part of namedIn(schemas[name])) found.add(part);
  return found;
}

const namedIn = (description: unknown): string[] =>
  [...(JSON.stringify(description) ?? '').matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name = '']) => name);
