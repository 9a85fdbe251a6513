import { searchIn } from '../../../contracts/search.js';
import { argument } from './argument-list.js';

/** Arguments that several tools take. */

export const query = argument(searchIn.query, 'What to look for: a question or a few words, in any language.');

export const namespaceIds = argument(searchIn.namespace_ids, {
  says: 'Search only these namespaces. Leave it out to search all that you can read.',
  items: { says: 'The id of a namespace.' },
});
