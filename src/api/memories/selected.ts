import { limits } from '../../../contracts/limits.js';
import { type Look, lookAtSelected, type Selection } from '../../../projections/memory/selection.js';
import { seqsOf } from '../../../projections/receipts/times.js';
import type { Database, Transaction } from '../../database/database.js';

export interface Selected {
  readonly ids: readonly string[];
  /** The place of each of them in the order of the list. */
  readonly places: readonly string[];
  /** The place up to which memories were looked at; null when these are all that there are. */
  readonly end: string | null;
}

interface Wanted {
  readonly before: string | null;
  readonly memories: number;
  /** Memories that are looked at in all, those of the selection and others. */
  readonly looked: number;
}

/** Memories of one look, which is one statement: at first, and at most. Other requests run between two looks. */
const [firstLook, largestLook] = [256, 4096];

/** Memories of a selection, newest first: about as many as wanted, or as many as are among those that are looked at. */
export async function selectMemories(
  read: Database['read'],
  workspaceId: string,
  selection: Selection,
  { before, memories, looked: mostLooked }: Wanted,
): Promise<Selected> {
  const looks: Look[] = [];
  let end = before;
  let [found, looked, most] = [0, 0, firstLook];
  do {
    const from = end;
    const look = await read(async (tx) => {
      const span = await spanOf(tx, workspaceId, selection);
      return lookAtSelected(tx, workspaceId, selection, from, Math.min(most, mostLooked - looked), span);
    });
    looks.push(look);
    end = look.end;
    found += look.ids.length;
    looked += look.looked;
    most = Math.min(4 * most, largestLook);
  } while (end !== null && found < memories && looked < mostLooked);
  return { ids: looks.flatMap((look) => look.ids), places: looks.flatMap((look) => look.places), end };
}

/** The entries of the times that a selection names; undefined without such times. */
export async function spanOf(tx: Transaction, workspaceId: string, { filter }: Selection) {
  const { created_after: since, created_before: until } = filter.leaves;
  return since || until ? seqsOf(tx, workspaceId, { since, until }) : undefined;
}

/** The number of memories of a selection, or that there are more than is counted. */
export async function countSelected(read: Database['read'], workspaceId: string, selection: Selection) {
  const { listTotal, listLooked } = limits;
  const wanted = { before: null, memories: listTotal + 1, looked: listLooked };
  const { ids, end } = await selectMemories(read, workspaceId, selection, wanted);
  const isExact = end === null && ids.length <= listTotal;
  return { value: Math.min(ids.length, listTotal), relation: isExact ? ('eq' as const) : ('gte' as const) };
}
