import { Refusal } from '../../../contracts/errors.js';
import type { Recorded, SentAction } from '../../api/actions/record.js';
import { shortId } from '../../api/memories/short-id.js';
import { sentenceOf } from '../protocol/refusals.js';
import { receiptPrefix } from '../results/notes.js';
import type { ToolResult } from '../tool.js';

/** The results of all actions in their order, as JSON and as lines that say the same. */
export function resultOf(sent: readonly SentAction[], outcomes: readonly (Recorded | Refusal)[]): ToolResult {
  const results = outcomes.map((outcome, index) => {
    const { client_ref } = sent[index]?.action ?? {};
    const labels = { index, ...(client_ref === undefined ? {} : { client_ref }) };
    return outcome instanceof Refusal
      ? { ...labels, ok: false, error: errorOf(outcome) }
      : { ...labels, ok: true, ...outcome };
  });
  const refusals = outcomes.filter((outcome) => outcome instanceof Refusal);
  const [first] = refusals;
  const lines = outcomes.map((outcome, index) => `${index}: ${lineOf(outcome)}`);
  return {
    text: [summaryOf(outcomes.length, refusals.length), ...lines].join('\n'),
    structured: { results },
    // A program that reads the code of a result finds that of the first action; the results have that of each action.
    ...(first && refusals.length === outcomes.length && { error: { code: first.code, details: first.details } }),
  };
}

function summaryOf(all: number, refused: number): string {
  if (refused === 0) return `Recorded ${all}:`;
  if (refused === all) return `Recorded none of ${all}:`;
  return `Recorded ${all - refused} of ${all}. Change what is wrong with the rest and send only that again:`;
}

function lineOf(outcome: Recorded | Refusal): string {
  if (outcome instanceof Refusal) return `refused. ${outcome.code}: ${messageOf(outcome)}`;
  const { kind, memory_id, duplicate, redacted } = outcome;
  const what =
    memory_id === undefined ? kind : `${duplicate ? 'was stored before as' : 'memory'} ${shortId(memory_id)}`;
  const counts = Object.entries(redacted ?? {}).map(([name, number]) => `${number} × ${name}`);
  const without = counts.length === 0 ? '' : `, replaced by [redacted]: ${counts.join(', ')}`;
  return `${what}, receipt ${receiptPrefix(outcome)}${without}`;
}

function errorOf(refusal: Refusal) {
  const { code, details } = refusal;
  return { code, message: messageOf(refusal), details };
}

/** The sentence of the refusal, with what an agent can do about it where the API leaves that to the reader. */
function messageOf(refusal: Refusal): string {
  const { code, details } = refusal;
  const sentence = sentenceOf(refusal);
  if (code !== 'approval_required' || typeof details.approval_id !== 'string') return sentence;
  return `${sentence} After that, send this action again with approval_id ${details.approval_id}.`;
}
