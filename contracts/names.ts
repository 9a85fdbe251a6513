import { z } from 'zod';
import { field } from './input.js';

/** Names by the ids that an answer shows. */
export const names = z
  .record(z.string(), z.string())
  .optional()
  .describe(
    'With include=names: the names of people, keys, agent keys, grants, agents and namespaces whose ids are shown. People are named by their e-mail addresses; to readers and keys each is "a person". ' +
      'A grant has the name of its client. Ids that are gone, and namespaces out of reach, have no name.',
  );

const included = 'names: the names behind the ids that are shown.';

export const namesIncluded = field(
  z.literal('names', 'must be names').optional().describe(included),
  'invalid_request',
);

const total = 'total: how many memories there are in all pages.';

/** Of a list that can be counted, too. */
export const totalAndNamesIncluded = field(
  z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(['total', 'names'], 'must be total or names, or both, comma separated')))
    .optional()
    .describe(`${total} ${included} Both: total,names.`),
  'invalid_request',
);
