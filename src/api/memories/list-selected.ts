import { Refusal } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import { lookAtSelected, namespacesAmong, type Selection } from '../../../projections/memory/selection.js';
import type { Database } from '../../database/database.js';
import type { Filter } from '../../domain/filters.js';
import { bytesOfIds, idList } from '../../domain/id-list.js';
import { spanOf } from './selected.js';

interface SelectedList {
  readonly count: number;
  /** See `idList`. */
  readonly ids: string;
  readonly namespaceIds: readonly string[];
}

/** Memories of one look, which is one statement. Other requests run between two looks. */
const perLook = 4096;

/** All memories of a selection, newest first. @throws Refusal nothing_selected, too_many_selected */
export async function listSelected(
  read: Database['read'],
  workspaceId: string,
  selection: Selection,
): Promise<SelectedList> {
  const parts: Buffer[] = [];
  const namespaces = new Set<string>();
  let [count, looked] = [0, 0];
  let end: string | null = null;
  do {
    const from = end;
    const { look, found } = await read(async (tx) => {
      const span = await spanOf(tx, workspaceId, selection);
      const look = await lookAtSelected(tx, workspaceId, selection, from, perLook, span);
      return { look, found: await namespacesAmong(tx, look.ids) };
    });
    parts.push(bytesOfIds(look.ids));
    for (const id of found) namespaces.add(id);
    count += look.ids.length;
    looked += look.looked;
    end = look.end;
    if (count > limits.selectedMemories) throw new Refusal('too_many_selected');
    if (end !== null && looked >= limits.selectionLooked) {
      throw new Refusal(
        'too_many_selected',
        'The filter would be compared with more than 300,000 memories. Add a source, a metadata value or a writer.',
      );
    }
  } while (end !== null);
  if (count === 0) throw new Refusal('nothing_selected');
  return { count, ids: idList(parts), namespaceIds: [...namespaces].sort() };
}

interface Fields {
  readonly namespace_ids?: readonly string[] | undefined;
  readonly agent_id?: string | undefined;
  readonly status?: string | undefined;
}

/** The names of the fields that select memories, for people. Of metadata no key is named. */
export function fieldsOf({ namespace_ids, agent_id, status }: Fields, filter: Filter): string[] {
  const own = Object.entries({ namespace_ids, agent_id, status }).flatMap(([name, value]) =>
    value === undefined ? [] : name,
  );
  return [...new Set([...own, ...leavesOf(filter)])];
}

function leavesOf({ leaves, all, any, not }: Filter): string[] {
  const own = Object.entries(leaves).flatMap(([name, value]) => {
    const isEmpty = typeof value === 'object' && Object.keys(value).length === 0;
    return name.startsWith('include_') || value === undefined || isEmpty ? [] : name;
  });
  return [...own, ...[...all, ...(any ?? []), ...not].flatMap(leavesOf)];
}
