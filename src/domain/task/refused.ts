/** A fault of one member. The path is relative to the receipt: `tool_calls.0.tool`. */
export interface Issue {
  readonly path: string;
  readonly message: string;
}

type TaskRefusal = 'invalid_json' | 'receipt_too_large' | 'server_assigned_field' | 'invalid_receipt';

/** Why task receipts are refused. It can be sent between threads, which a Refusal cannot. */
export interface RefusedTasks {
  readonly code: TaskRefusal;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** More of them help no caller. */
const shownIssues = 20;
/** Of a path: the name of an unknown member may be as long as the receipt. */
const shownCharacters = 200;

/** @param index the position of the receipt in its batch; undefined for a receipt that was sent alone */
export function refusedReceipt(
  code: TaskRefusal,
  index: number | undefined,
  message: string,
  details: Readonly<Record<string, unknown>>,
): RefusedTasks {
  const where = index === undefined ? '' : `Receipt ${index}: `;
  return { code, message: `${where}${message}`, details: index === undefined ? details : { index, ...details } };
}

export function refusedFields(
  code: 'invalid_receipt' | 'server_assigned_field',
  index: number | undefined,
  issues: readonly Issue[],
): RefusedTasks {
  const shown = issues.slice(0, shownIssues).map(({ path, message }) => ({ path: shownPath(path), message }));
  const [first] = shown;
  return refusedReceipt(code, index, `${first?.path || 'The receipt'}: ${first?.message ?? ''}.`, { issues: shown });
}

export function pathOf(parts: readonly PropertyKey[]): string {
  return parts.map(String).join('.');
}

/** Its first characters only, and none that a terminal or a log interprets. */
function shownPath(path: string): string {
  return [...path.slice(0, shownCharacters).toWellFormed()].join('').replace(/\p{C}/gu, '\ufffd');
}
