import type { CloseFields } from './close.js';
import type { DecisionFields } from './decision.js';
import type { Report } from './report.js';
import { cut, orNone, plain, privateText, type Row } from './rows.js';
import { taskRows } from './task-rows.js';

/**
 * The fields of a task receipt, a decision, a handoff or the close of a day in words, and of other kinds nothing. Its texts are written by other
 * people: each is cut to a length that can be read, and each character that a terminal or a browser would obey is replaced
 * by its number.
 * @returns null when its fields cannot be read
 */
export function receiptRows({ task, decision, close }: Omit<NonNullable<Report['receipt']>, 'story'>): Row[] | null {
  if (task !== undefined) return task && taskRows(task);
  if (decision !== undefined) return decision && decisionRows(decision);
  if (close !== undefined) return close && closeRows(close);
  return [];
}

function decisionRows({ namespace_id, to_agent, refs, private_text }: DecisionFields): Row[] {
  const to = to_agent === null ? [] : [{ name: 'Handed to', values: [plain(to_agent)] }];
  return [
    { name: 'Namespace', values: [plain(namespace_id)] },
    ...to,
    { name: 'References', values: orNone(cut(refs, (ref) => plain(ref))) },
    { name: 'Private text', values: [privateText(private_text)], ofContent: true },
  ];
}

function closeRows({ day, levels, receipts, root, facts_hash }: CloseFields): Row[] {
  const line = ([id, level]: (typeof levels)[number]) => `${plain(id)} ${level === null ? 'has no level yet' : level}`;
  return [
    { name: 'Day', values: [plain(day)] },
    { name: 'Levels', values: orNone(cut(levels, line)) },
    { name: 'Task receipts', values: [String(receipts)] },
    { name: 'Root', values: [plain(root)] },
    { name: 'Hash of facts', values: [plain(facts_hash)] },
  ];
}
