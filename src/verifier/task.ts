import type { Json, JsonObject } from './json.js';
import { anyObject, list, text } from './shape.js';
import { attempt, Unreadable } from './unreadable.js';

/** The fields of a task receipt, as its entry has them. What the receipt does not state is null. */
export interface TaskFields {
  /** The id that the platform has chosen. The service's own is that of the entry. */
  readonly receipt_id: string;
  readonly agent_handle: string;
  readonly platform: string;
  readonly model: string | null;
  readonly session_id: string | null;
  readonly trace_id: string | null;
  readonly status: string;
  readonly started_at: string;
  readonly ended_at: string;
  readonly cost_usd: number | null;
  /** The tools that were called, in the order of their first call. */
  readonly tools: readonly Tool[];
  /** The tools that the declared scope does not cover; null when no scope was declared. */
  readonly scope_violations: readonly string[] | null;
  readonly attestations: readonly Attestation[];
  readonly market: JsonObject | null;
  /** Whether the entry commits to a private text: `task_summary`, and members that the schema does not name. */
  readonly has_private_text: boolean;
  /** JSON. Null when the bundle does not show it, or shows another one than the entry commits to. */
  readonly private_text: string | null;
}

interface Tool {
  readonly tool: string;
  readonly calls: number;
  /** Calls that were not ok. */
  readonly failed: number;
}

interface Attestation {
  readonly type: string | null;
  readonly state: string;
  /** The identity or the key by which it was verified. */
  readonly signer: string | null;
}

/** No list of a task receipt is longer than the values that an entry may have. */
const maxItems = 16_384;

/**
 * @param body the body of an entry
 * @param privateText a text that the entry commits to
 * @returns null for a body of another form than that of a task receipt
 */
export function taskFields(body: JsonObject, privateText: string | null): TaskFields | null {
  const fields = attempt(() => readTask(body, privateText));
  return typeof fields === 'string' ? null : fields;
}

/** @throws Unreadable */
function readTask(body: JsonObject, privateText: string | null): TaskFields {
  const task = anyObject(body.task, 'the task');
  return {
    receipt_id: text(task.receipt_id, 'its id'),
    agent_handle: text(task.agent_handle, 'its agent'),
    platform: text(task.platform, 'its platform'),
    model: textOrNull(task.model, 'its model'),
    session_id: textOrNull(task.session_id, 'its session'),
    trace_id: textOrNull(task.trace_id, 'its trace'),
    status: text(task.status, 'its status'),
    started_at: text(task.started_at, 'its start'),
    ended_at: text(task.ended_at, 'its end'),
    cost_usd: numberOrNull(task.cost_usd, 'its cost'),
    tools: readTools(task.tool_calls ?? []),
    scope_violations: body.scope_violations === null ? null : texts(body.scope_violations, 'its scope violations'),
    attestations: readAttestations(task.attestations ?? [], body.attestation_checks),
    market: task.market === undefined ? null : anyObject(task.market, 'its market'),
    has_private_text: textOrNull(body.content_commitment, 'its commitment') !== null,
    private_text: privateText,
  };
}

function readTools(value: Json): Tool[] {
  const tools = new Map<string, { tool: string; calls: number; failed: number }>();
  const calls = list(value, 'its tool calls', maxItems, (item, what) => {
    const { tool, ok } = anyObject(item, what);
    return { tool: text(tool, `the tool of ${what}`), ok: ok === true };
  });
  for (const { tool, ok } of calls) {
    const counted = tools.get(tool) ?? { tool, calls: 0, failed: 0 };
    counted.calls += 1;
    if (!ok) counted.failed += 1;
    tools.set(tool, counted);
  }
  return [...tools.values()];
}

/** The attestations as they were sent, with the results of the checks, which are as many and in the same order. */
function readAttestations(sent: Json, checks: Json | undefined): Attestation[] {
  const types = list(sent, 'its attestations', maxItems, (item, what) => {
    const { type } = anyObject(item, what);
    return typeof type === 'string' ? type : null;
  });
  const results = list(checks, 'its checked attestations', maxItems, (item, what) => {
    const { state, signer } = anyObject(item, what);
    return { state: text(state, `the state of ${what}`), signer: textOrNull(signer, `the signer of ${what}`) };
  });
  if (types.length !== results.length) throw new Unreadable('it has attestations without a result');
  return results.map((result, at) => ({ type: types[at] ?? null, ...result }));
}

function texts(value: Json | undefined, what: string): string[] {
  return list(value, what, maxItems, text);
}

function textOrNull(value: Json | undefined, what: string): string | null {
  return value === undefined || value === null ? null : text(value, what);
}

function numberOrNull(value: Json | undefined, what: string): number | null {
  if (value === undefined) return null;
  if (typeof value !== 'number') throw new Unreadable(`${what} is not a number`);
  return value;
}
