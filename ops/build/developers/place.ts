import type { ApiDocument, OperationObject } from '../../../src/http/openapi/shape.js';
import { apiPath } from './site.js';

/** An operation with its address. */
export interface Place {
  readonly method: string;
  readonly path: string;
  readonly operation: OperationObject;
}

/** A group of operations, which has a page of its own. */
export interface Tag {
  readonly name: string;
  readonly description: string;
  /** The last part of the address of its page. */
  readonly id: string;
  readonly places: readonly Place[];
}

export function tagsOf(api: ApiDocument): readonly Tag[] {
  const places = Object.entries(api.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): Place => ({ method, path, operation })),
  );
  return api.tags.map(({ name, description }) => ({
    name,
    description,
    id: name.toLowerCase().replaceAll(' ', '-'),
    places: places.filter(({ operation }) => operation.tags.includes(name)),
  }));
}

/** The page with all error codes, beside the pages of the tags. */
export const errorsId = 'errors';

/** The path of a page of the reference, below /developers. */
export const apiPathOf = (id: string): string => `${apiPath}/${id}`;
