import { z } from 'zod';
import type { Action } from '../../../contracts/actions.js';
import { memoryAccepted } from '../../../contracts/memory.js';
import { admit } from '../../api/admission.js';
import { call } from '../../api/call.js';
import { memoryAddOperation } from '../../api/memories/add.js';
import { runBy } from '../../commands/by-caller.js';
import { answering, once, type RequestKey } from '../../commands/once.js';
import { prepareDecision, recordDecision, type Stated } from '../../commands/record-decision.js';
import type { Run } from '../../commands/run.js';
import { RawJson } from '../../domain/json-text.js';
import type { Calling } from '../tool.js';
import type { SentAction } from './read.js';
import type { Recorded } from './results.js';

type DecisionAction = Exclude<Action, { kind: 'memory' }>;

const receipt = z.object({ receipt_id: z.string(), receipt_hash: z.string() });

/**
 * Carries out one action with the rights, the budget and the refusals of the API.
 * @param key under which its answer is stored; null where the batch must not be repeated
 * @throws Refusal
 */
export function perform(sent: SentAction, calling: Calling, key: RequestKey, run: Run): Promise<Recorded> {
  const { action } = sent;
  return action.kind === 'memory' ? addMemory(sent, calling, key, run) : recordStated(action, calling, key, run);
}

/** As POST /v1/memories does it. */
async function addMemory(
  { texts }: SentAction,
  { caller, client, rateLimits, services }: Calling,
  key: RequestKey,
  run: Run,
): Promise<Recorded> {
  const members = [...texts].filter(([name]) => Object.hasOwn(memoryAddOperation.body, name));
  const body = `{${members.map(([name, text]) => `"${name}":${text}`).join(',')}}`;
  const own = { ...services, run, requestKeys: () => key };
  const answer = await call(memoryAddOperation, { caller, client, body }, { rateLimits, services: own });
  const { memory_id, job_id, receipt_id, receipt_hash, duplicate } = memoryAccepted.parse(parsed(answer.body));
  return { kind: 'memory', receipt_id, receipt_hash, memory_id, job_id, duplicate };
}

async function recordStated(
  action: DecisionAction,
  { caller, rateLimits, services }: Calling,
  key: RequestKey,
  run: Run,
): Promise<Recorded> {
  const { world, redactTexts } = services;
  await admit({ access: 'memory.write', counted: 'write', summary: 'Record actions' }, caller, rateLimits);
  const decision = await prepareDecision(redactTexts, caller.workspaceId, statedBy(action));
  const command = answering(recordDecision(world, caller, decision), (body) => ({ status: 201, body }));
  const answer = await runBy(run, caller, 'memory.write')(caller.workspaceId, once(command, key));
  return { kind: action.kind, ...receipt.parse(parsed(answer.body)) };
}

function statedBy(action: DecisionAction): Stated {
  const { namespace, refs, summary } = action;
  if (action.kind === 'handoff') {
    const { to_agent: toAgent, task } = action;
    return { kind: 'handoff', namespace, refs, toAgent, text: { summary, task } };
  }
  const { options, chosen, reason } = action;
  return { kind: 'decision', namespace, refs, text: { summary, options, chosen, reason } };
}

/** A stored answer is JSON text. */
const parsed = (body: unknown): unknown => (body instanceof RawJson ? JSON.parse(body.text) : body);
