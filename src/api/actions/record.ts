import { z } from 'zod';
import type { Action } from '../../../contracts/actions.js';
import { Refusal } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import { memoryAccepted } from '../../../contracts/memory.js';
import { RawJson } from '../../base/json-text.js';
import { runBy } from '../../commands/by-caller.js';
import { answering, keysOfParts, once, type RequestKey } from '../../commands/once.js';
import { prepareDecision, recordDecision, type Stated } from '../../commands/record-decision.js';
import type { Run } from '../../commands/run.js';
import { runTogether } from '../../commands/run-together.js';
import { type Caller, requireAccess } from '../../domain/caller.js';
import { admit } from '../admission.js';
import { type CallParts, call } from '../call.js';
import { memoryAddOperation } from '../memories/add.js';
import { onlyNamespace } from '../namespaces/reached.js';
import type { Client } from '../operation.js';

/** An action whose members are right, and the texts of its members exactly as they were sent. */
export interface SentAction {
  readonly action: Action;
  readonly texts: ReadonlyMap<string, string>;
}

export interface SentActions {
  readonly actions: readonly SentAction[];
  /** The text of the whole list, as it was sent. */
  readonly text: string;
}

/** The record of an action. Memories have an id, and a job that makes them searchable. */
export interface Recorded {
  readonly kind: Action['kind'];
  readonly receipt_id: string;
  readonly receipt_hash: string;
  readonly memory_id?: string;
  readonly job_id?: string;
  /** Whether the memory was there already, so that nothing was written. */
  readonly duplicate?: boolean;
  /** How many sensitive values of each kind were replaced; absent when none was. */
  readonly redacted?: Readonly<Record<string, number>>;
}

interface Recording extends CallParts {
  readonly caller: Caller;
  readonly client: Client;
}

/** Checks whether the caller may record actions, before what they are is read. @throws Refusal as `requireAccess` */
export const requireRecording = (caller: Caller): void => requireAccess(caller, 'memory.write');

/**
 * Records actions in their order, each with the rights, the budget and the refusals of the API. One that is refused does not stop the
 * rest.
 * @param idempotencyKey with it a repetition finds those that were recorded and tries only the rest. The digests of their keys are that of
 * the list of actions as it was sent
 * @returns the record of each action, or why it was refused
 * @throws Refusal idempotency_key_reused, which concerns all of them: nothing was recorded then. Other errors too.
 */
export async function recordActions(
  { actions, text }: SentActions,
  idempotencyKey: string | undefined,
  recording: Recording,
): Promise<(Recorded | Refusal)[]> {
  const { caller, services } = recording;
  const request = services.writing.requestKeys(
    caller,
    idempotencyKey,
    '/mcp record_action_batch',
    Buffer.from(text, 'utf8'),
  );
  const keys = request === null ? [] : keysOfParts(request, limits.mcpActions);
  const works = actions.map((sent, at) => (run: Run) => perform(sent, recording, keys[at] ?? null, run));
  return (await runTogether(services.writing.run, works)).map(recordOrRefusal);
}

function recordOrRefusal(settled: PromiseSettledResult<Recorded>): Recorded | Refusal {
  if (settled.status === 'fulfilled') return settled.value;
  const { reason } = settled;
  if (reason instanceof Refusal && reason.code !== 'idempotency_key_reused') return reason;
  throw reason;
}

type DecisionAction = Exclude<Action, { kind: 'memory' }>;

const receipt = z.object({ receipt_id: z.string(), receipt_hash: z.string() });

/**
 * Carries out one action with the rights, the budget and the refusals of the API.
 * @param key under which its answer is stored; null where the batch must not be repeated
 * @throws Refusal
 */
function perform(sent: SentAction, recording: Recording, key: RequestKey, run: Run): Promise<Recorded> {
  const { action } = sent;
  return action.kind === 'memory' ? addMemory(sent, recording, key, run) : recordStated(action, recording, key, run);
}

/** As POST /v1/memories does it. */
async function addMemory(
  { texts }: SentAction,
  { caller, client, rateLimits, services }: Recording,
  key: RequestKey,
  run: Run,
): Promise<Recorded> {
  const only = texts.has('namespace') ? undefined : onlyNamespace(caller);
  const named = only === undefined ? texts : new Map([...texts, ['namespace', JSON.stringify(only)]]);
  const members = [...named].filter(([name]) => Object.hasOwn(memoryAddOperation.body, name));
  const body = `{${members.map(([name, text]) => `"${name}":${text}`).join(',')}}`;
  const own = { ...services, writing: { ...services.writing, run, requestKeys: () => key } };
  const answer = await call(memoryAddOperation, { caller, client, body }, { rateLimits, services: own });
  const accepted = memoryAccepted.parse(parsed(answer.body));
  const { memory_id, job_id, receipt_id, receipt_hash, duplicate, redacted } = accepted;
  return { kind: 'memory', receipt_id, receipt_hash, memory_id, job_id, duplicate, ...(redacted && { redacted }) };
}

async function recordStated(
  action: DecisionAction,
  { caller, rateLimits, services }: Recording,
  key: RequestKey,
  run: Run,
): Promise<Recorded> {
  await admit({ access: 'memory.write', counted: 'write', summary: 'Record actions' }, caller, rateLimits);
  const decision = await prepareDecision(
    services.receipts.redactTexts,
    caller.workspaceId,
    statedBy(action, onlyNamespace(caller)),
  );
  const command = answering(recordDecision(services.writing.world, caller, decision), (body) => ({
    status: 201,
    body,
  }));
  const answer = await runBy(run, caller, 'memory.write')(caller.workspaceId, once(command, key));
  return { kind: action.kind, ...receipt.parse(parsed(answer.body)) };
}

/** @param only the namespace of an action that names none; undefined for the default one */
function statedBy(action: DecisionAction, only: string | undefined): Stated {
  const { namespace = only, refs, summary } = action;
  if (action.kind === 'handoff') {
    const { to_agent: toAgent, task } = action;
    return { kind: 'handoff', namespace, refs, toAgent, text: { summary, task } };
  }
  const { options, chosen, reason } = action;
  return { kind: 'decision', namespace, refs, text: { summary, options, chosen, reason } };
}

/** A stored answer is JSON text. */
const parsed = (body: unknown): unknown => (body instanceof RawJson ? JSON.parse(body.text) : body);
