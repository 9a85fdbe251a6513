import { z } from 'zod';
import { field, listOf } from '../../../contracts/input.js';
import { limits } from '../../../contracts/limits.js';
import { searchIn } from '../../../contracts/search.js';
import { namespaceIdsOf } from '../../api/namespaces/reached.js';
import type { Arguments, Calling } from '../tool.js';
import { argument } from './argument-list.js';
import { changedMembers } from './members.js';

/** Arguments that several tools take. */

export const query = argument(searchIn.query, 'What to look for: a question or a few words.');

const { code } = searchIn.namespace_ids;
const idsOrNames = z.array(z.string().min(1)).min(1).max(limits.namespacesPerFilter).optional();

export const namespaceIds = argument(field(idsOrNames, code, { most: listOf(limits.namespacesPerFilter, code) }), {
  says: 'Only these namespaces; all without it.',
  items: { says: 'Name or id.', unbounded: true },
  unbounded: true,
});

/**
 * The same arguments with the ids of namespaces where these were named. A list of another shape stays as it is, and is refused when
 * the arguments are checked. @throws Refusal namespace_out_of_scope, and those of a caller that may not read
 */
export async function withNamespaceIds(args: Arguments, calling: Calling): Promise<Arguments> {
  const { namespace_ids: given } = args.value;
  const names = z.array(z.string().min(1)).min(1).max(limits.namespacesPerFilter).safeParse(given);
  if (!names.success) return args;
  const ids = await namespaceIdsOf(names.data, calling);
  if (ids === names.data) return args;
  return {
    value: { ...args.value, namespace_ids: ids },
    text: changedMembers(args.text, { namespace_ids: JSON.stringify(ids) }),
  };
}
