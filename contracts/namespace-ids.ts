import { z } from 'zod';
import { field, listOf } from './input.js';
import { limits } from './limits.js';

/** The namespaces that a request is about, in requests that are otherwise about every namespace of the caller. */
export const namespaceIds = field(
  z
    .array(z.guid('must be namespace ids'))
    .min(1)
    .max(limits.namespacesPerFilter)
    .optional()
    .describe('Without it, every namespace that the caller reaches.'),
  'invalid_namespace_ids',
  { most: listOf(limits.namespacesPerFilter, 'invalid_namespace_ids') },
);
