import { namesOf } from '../../projections/names/queries.js';
import { isUuid } from '../base/world.js';
import type { Database } from '../database/database.js';
import type { Caller } from '../domain/caller.js';

/** Gathers the ids that an answer shows, and reads their names. */
export interface Names {
  /** Notes the ids in a part of the answer. No text of a caller may be in it, because that could have members of the same names. */
  note(part: object): void;
  /** The member `names` of the answer, of those who want it. All names are read by one statement. */
  read(read: Database['read']): Promise<{ readonly names?: Readonly<Record<string, string>> }>;
}

/** The members of entries and answers that hold ids of what has a name. */
const named = new Set([
  'id',
  'user_id',
  'agent_id',
  'agn_id',
  'to_agent',
  'key_id',
  'member_id',
  'grant_id',
  'link_id',
  'decided_by',
  'namespace_id',
  'namespace_ids',
  'from',
  'to',
  'moved_to',
]);

/** The name of every person for those who may not see e-mail addresses: keys, and people who may only read. */
const anyPerson = 'a person';

/** @param wanted whether the answer has names at all */
export function namesFor({ workspaceId, namespaceIds, role }: Caller, wanted: boolean): Names {
  if (!wanted) return { note: () => undefined, read: async () => ({}) };
  const ids = new Set<string>();
  const member = role === 'owner' || role === 'admin' || role === 'member' ? null : anyPerson;
  return {
    note: (part) => gather(part, ids),
    async read(read) {
      const all = [...ids];
      if (all.length === 0) return { names: {} };
      const uuids = all.filter(isUuid);
      const reached = new Set(namespaceIds);
      const asked = {
        uuids,
        others: all.filter((id) => !isUuid(id)),
        namespaceIds: uuids.filter((id) => reached.has(id)),
      };
      const found = await read((tx) => namesOf(tx, workspaceId, asked, member));
      return { names: Object.fromEntries(found) };
    },
  };
}

function gather(part: object, ids: Set<string>): void {
  for (const [name, value] of Object.entries(part)) {
    if (typeof value === 'string') {
      if (named.has(name)) ids.add(value);
    } else if (Array.isArray(value) && value.every((one) => typeof one === 'string')) {
      if (named.has(name)) for (const one of value) ids.add(one);
    } else if (typeof value === 'object' && value !== null) gather(value, ids);
  }
}
