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
