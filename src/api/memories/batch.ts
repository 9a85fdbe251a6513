import { type ErrorCode, Refusal } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import { memoryAccepted } from '../../../contracts/memory.js';
import { memoryBatch, memoryBatchIn } from '../../../contracts/memory-batch.js';
import { RawJson } from '../../base/json-text.js';
import { inSlices } from '../../base/steps.js';
import {
  type Keyed,
  keysOfParts,
  partsAnsweredBefore,
  type RepeatedAnswer,
  type RequestKey,
} from '../../commands/once.js';
import { runTogether } from '../../commands/run-together.js';
import type { Caller } from '../../domain/caller.js';
import type { Answer } from '../answer.js';
import { refusalOfStore } from '../failures.js';
import { operation } from '../operation.js';
import type { ForWriting, Services } from '../services.js';
import { admit, newMemory } from './add.js';
import { type BatchItem, readItems } from './batch-items.js';
import { exampleAccepted, exampleContent } from './examples.js';

export const memoryBatchOperation = operation({
  method: 'POST',
  path: '/v1/memories/batch',
  summary: 'Write up to 1000 memories in one call',
  access: 'memory.write',
  counted: 'write',
  body: memoryBatchIn,
  answers: { 200: memoryBatch },
  refusals: [
    'invalid_json',
    'too_many_memories',
    'invalid_request',
    'tenant_paused',
    'approval_unavailable',
    'plan_action_limit',
    'plan_memory_limit',
    'meter_unavailable',
    'receipt_unavailable',
  ],
  documentation: {
    id: 'addMemories',
    body: 'MemoryBatchIn',
    description:
      'Each memory is written or refused by itself, as POST /v1/memories would do it, in the order of the list, and has a receipt of its own. ' +
      'The call is refused as a whole, and nothing is written, when every memory is refused for the same reason and this reason is the caller, ' +
      'the pause, the plan, the budget or the store. Each memory counts as one write of the workspace: those beyond its budget are ' +
      'refused with rate_limited. Repeated with its Idempotency-Key, the call returns the results of the memories that were written, and ' +
      'tries only the rest again.',
    request: {
      memories: [
        { content: exampleContent, metadata: { person: 'Ada' }, source: 'chat-1' },
        { content: 'Ada keeps her bicycle in the yard.', namespace: 'attic' },
      ],
    },
    answers: {
      200: {
        body: {
          results: [
            { index: 0, status: 202, ...exampleAccepted },
            {
              index: 1,
              status: 404,
              error: {
                code: 'namespace_not_found',
                message: 'There is no namespace with that id or name.',
                details: {},
              },
            },
          ],
          written: 1,
          duplicates: 0,
          refused: 1,
        },
      },
    },
  },
  async handle({ caller, body, texts, once }, services) {
    const { memories } = body;
    if (memories.length > limits.batchMemories) throw new Refusal('too_many_memories');
    const items = await inSlices(readItems(memories, texts.get('memories') ?? '[]'));
    const keys = once === null ? [] : keysOfParts(once, limits.batchMemories);
    const outcomes = await admitAll(services, caller, keys, items);
    refuseWhole(outcomes);
    return { status: 200, body: resultsOf(outcomes), receipt: receiptOf(outcomes) };
  },
});

type Outcome = Answer | RepeatedAnswer | Refusal;

/** Writes those that were not written before under their keys, as far as the budget of the workspace allows. */
async function admitAll(
  { reading: { read }, writing, memories, access }: Services,
  caller: Caller,
  keys: readonly Keyed[],
  items: readonly (BatchItem | Refusal)[],
): Promise<readonly Outcome[]> {
  const before = await read((tx) => partsAnsweredBefore(tx, caller.workspaceId, keys, writing.world.now()));
  const outcomes = new Map<number, Outcome>(before);
  const wanted = [...items.entries()].filter(([at]) => !before.has(at));
  // The request itself was counted as one write before its body was read.
  const { allowed, refusal } =
    wanted.length > 1 ? await access.rateLimits.writes(caller, wanted.length - 1) : { allowed: 0, refusal: null };
  const [now, later] = [wanted.slice(0, allowed + 1), wanted.slice(allowed + 1)];
  for (const [at] of later) if (refusal) outcomes.set(at, refusal);
  const works = now.map(([at, item]) => async (running: ForWriting['run']) => {
    if (item instanceof Refusal) throw item;
    return addOne({ memories, writing: { ...writing, run: running } }, caller, keys[at] ?? null, item);
  });
  const settled = await runTogether(writing.run, works);
  for (const [place, one] of settled.entries()) outcomes.set(now[place]?.[0] ?? 0, outcomeOf(one));
  return items.flatMap((_, at) => outcomes.get(at) ?? []);
}

async function addOne(
  services: Pick<Services, 'writing' | 'memories'>,
  caller: Caller,
  key: RequestKey,
  { body, texts }: BatchItem,
) {
  return admit(services, caller, key, await newMemory(services.memories, caller, body, texts, body.source ?? null));
}

/** @throws Refusal idempotency_key_reused, which concerns the whole call, and every error that is no refusal */
function outcomeOf(settled: PromiseSettledResult<Answer | RepeatedAnswer>): Outcome {
  if (settled.status === 'fulfilled') return settled.value;
  const { reason } = settled;
  const refusal = reason instanceof Refusal ? reason : refusalOfStore(reason, 'receipt_unavailable', true);
  if (!refusal || refusal.code === 'idempotency_key_reused') throw reason;
  return refusal;
}

/** Statuses of refusals that say nothing about the memory: the plan, the pause, the budget, the store. */
const aboutTheCall: readonly number[] = [401, 402, 423, 429, 503];
/** The same for what the caller may do. */
const aboutTheCaller: readonly ErrorCode[] = [
  'workspace_role_required',
  'read_only',
  'insufficient_scope',
  'key_has_no_namespaces',
  'feature_not_enabled',
];

/** @throws Refusal of all memories, when it is the same and is not about any of them */
function refuseWhole(outcomes: readonly Outcome[]): void {
  const [first] = outcomes;
  if (!(first instanceof Refusal)) return;
  if (!aboutTheCall.includes(first.status) && !aboutTheCaller.includes(first.code)) return;
  if (outcomes.every((one) => one instanceof Refusal && one.code === first.code)) throw first;
}

/** The receipt of the last one that was written earlier, for a call that is only repeated. */
function receiptOf(outcomes: readonly Outcome[]): string | null {
  return outcomes.reduce((last: string | null, one) => (one instanceof Refusal ? null : one.receipt) ?? last, null);
}

function resultsOf(outcomes: readonly Outcome[]) {
  const results = outcomes.map((one, index) => {
    if (!(one instanceof Refusal)) {
      const accepted = acceptedOf(one.body);
      return { index, status: accepted.duplicate ? (200 as const) : (202 as const), ...accepted };
    }
    const { status, code, message, details } = one;
    return { index, status, error: { code, message, details } };
  });
  const count = (status: number) => results.filter((one) => one.status === status).length;
  return {
    results,
    written: count(202),
    duplicates: count(200),
    refused: results.filter((one) => 'error' in one).length,
  };
}

/** A stored answer is JSON text. */
const acceptedOf = (body: unknown) => memoryAccepted.parse(body instanceof RawJson ? JSON.parse(body.text) : body);
