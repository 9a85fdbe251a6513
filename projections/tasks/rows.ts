import { hashIn } from '../workspace-hash.js';

/**
 * Rows that the SQL of other folders may read and join: one for each task receipt. It is the name of the table because
 * lists of receipts join it.
 */
export const taskRows = 'tasks';

/**
 * SQL of the hash of a session, for indexes. A caller chooses its length, and a key of a B-tree must not be longer than a
 * third of a page.
 */
export const hashOfSession = (session: string): string => `hashtextextended(${session}, 0)`;

/** SQL of the condition that a row of the tasks belongs to a session. */
export const isInSession = (tasks: string, session: string): string =>
  `(${hashOfSession(`${tasks}.session_id`)} = ${hashOfSession(session)} and ${tasks}.session_id = ${session})`;

/** SQL of the columns of the index by which a client's id is found. */
export const placeOfTask = hashIn('workspace_id', 'task_id');

/**
 * SQL of the rows with a client's id in a workspace, one at most. While a table is young its statistics say that a workspace has
 * few rows: for conditions on workspace and id the planner then reads all rows of the workspace, by any index that begins with it.
 * For this hash there is one index.
 */
export const taskOf = (workspace: string, id: string): string =>
  `(select * from (select * from ${taskRows} where ${placeOfTask} = ${hashIn(workspace, id)} offset 0) placed
     where placed.workspace_id = ${workspace} and placed.task_id = ${id})`;
