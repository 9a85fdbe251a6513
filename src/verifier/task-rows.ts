import { canonical } from './canonical.js';
import { cut, orNone, plain, privateText, type Row } from './rows.js';
import type { TaskFields } from './task.js';

/**
 * The fields of a task receipt in words. Its texts are written by other people: each is cut to a length that can be read,
 * and each character that a terminal or a browser would obey is replaced by its number.
 */
export function taskRows(task: TaskFields): Row[] {
  const rows: Row[] = [
    { name: 'Task', values: [plain(task.receipt_id)] },
    { name: 'Agent', values: [plain(task.agent_handle)] },
    { name: 'Platform', values: [plain(task.platform)] },
    { name: 'Status', values: [plain(task.status)] },
    { name: 'Started', values: [plain(task.started_at)] },
    { name: 'Ended', values: [plain(task.ended_at)] },
    { name: 'Cost', values: [task.cost_usd === null ? 'not stated' : `${task.cost_usd} USD`] },
    { name: 'Tools', values: orNone(toolLines(task)) },
    { name: 'Outside of scope', values: violationLines(task) },
    { name: 'Attestations', values: orNone(cut(task.attestations, attestationLine)) },
    { name: 'Market', values: orNone(marketLines(task)) },
    {
      name: 'Private text',
      values: [task.has_private_text ? privateText(task.private_text) : 'none'],
      ofContent: true,
    },
  ];
  const optional = [
    ['Model', task.model],
    ['Session', task.session_id],
    ['Trace', task.trace_id],
  ] as const;
  const stated = optional.flatMap(([name, value]) => (value === null ? [] : [{ name, values: [plain(value)] }]));
  return [...rows.slice(0, 3), ...stated, ...rows.slice(3)];
}

function toolLines({ tools, scope_violations }: TaskFields): readonly string[] {
  const outside = new Set(scope_violations);
  return cut(tools, ({ tool, calls, failed }) => {
    const failures = failed > 0 ? `, ${failed} failed` : '';
    const scope = outside.has(tool) ? ', outside of the declared scope' : '';
    return `${plain(tool)}: ${calls} ${calls === 1 ? 'call' : 'calls'}${failures}${scope}`;
  });
}

function violationLines({ scope_violations }: TaskFields): readonly string[] {
  if (scope_violations === null) return ['not evaluated: no scope was declared'];
  return orNone(cut(scope_violations, (tool) => plain(tool)));
}

function attestationLine({ type, state, signer }: TaskFields['attestations'][number]): string {
  const by = signer === null ? '' : ` with the key of ${plain(signer)}`;
  return `${type === null ? 'without a type' : plain(type)}: ${plain(state).replace('_', ' ')} by the service${by}`;
}

function marketLines({ market }: TaskFields): readonly string[] {
  return cut(Object.entries(market ?? {}), ([name, value]) => {
    return `${plain(name)}: ${plain(typeof value === 'string' ? value : canonical(value))}`;
  });
}
