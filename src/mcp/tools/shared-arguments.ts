import { limits } from '../../../contracts/limits.js';
import type { ValueSchema } from '../tool.js';

/** Arguments that several tools take. */

export const query: ValueSchema = {
  type: 'string',
  minLength: 1,
  maxLength: limits.queryCharacters,
  description: 'What to look for: a question or a few words, in any language.',
};

export const namespaceIds: ValueSchema = {
  type: 'array',
  minItems: 1,
  maxItems: limits.namespacesPerFilter,
  items: { type: 'string', format: 'uuid', description: 'The id of a namespace.' },
  description: 'Search only these namespaces. Leave it out to search all that you can read.',
};
