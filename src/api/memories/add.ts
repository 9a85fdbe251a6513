import type { Assumed } from '../../../contracts/assumed.js';
import { Refusal } from '../../../contracts/errors.js';
import type { InputOf } from '../../../contracts/input.js';
import { limits } from '../../../contracts/limits.js';
import { memoryAccepted, memoryIn } from '../../../contracts/memory.js';
import { memoryAddQuery } from '../../../contracts/similar.js';
import { RawJson } from '../../base/json-text.js';
import { addMemory, type NewMemory } from '../../commands/add-memory.js';
import { answering, once, type RequestKey } from '../../commands/once.js';
import type { Caller } from '../../domain/caller.js';
import { isTerminal } from '../../domain/pipeline.js';
import type { Answer, AnswerOf } from '../answer.js';
import { operation, type Patience } from '../operation.js';
import type { ForMemories, Services } from '../services.js';
import { exampleAccepted, exampleContent, exampleMemory } from './examples.js';
import { similarTo, withSimilar } from './similar.js';

/** The refusals of every write of a memory whose fields are right. */
export const refusalsOfWrites = [
  'namespace_required',
  'namespace_not_found',
  'namespace_deleted',
  'namespace_out_of_scope',
  'tenant_paused',
  'approval_required',
  'approval_invalid',
  'approval_unavailable',
  'plan_action_limit',
  'plan_memory_limit',
  'meter_unavailable',
  'content_rejected',
  'receipt_unavailable',
] as const;

const addedAnswers = { 200: memoryAccepted, 202: memoryAccepted };

export const memoryAddOperation = operation({
  method: 'POST',
  path: '/v1/memories',
  summary: 'Write a memory',
  access: 'memory.write',
  counted: 'write',
  query: memoryAddQuery,
  body: memoryIn,
  answers: addedAnswers,
  refusals: [
    'invalid_json',
    'invalid_content',
    'invalid_metadata',
    'invalid_source',
    'invalid_namespace',
    'invalid_request',
    'content_too_large',
    'metadata_too_large',
    ...refusalsOfWrites,
  ],
  documentation: {
    id: 'addMemory',
    body: 'MemoryIn',
    description:
      'The memory and its receipt are on disk when the answer is sent. Searches find a text of at most 4 KiB from then on, where embedder, ' +
      'ledger and index are the ones of the service: its job begins as queued and is done in the same commit. Other texts are made searchable ' +
      'by their job a moment later. Sensitive values ' +
      'in content, source and metadata are stored as [redacted], or the write is refused if the rules of the workspace demand it.',
    request: { content: exampleContent, metadata: exampleMemory.metadata, source: 'chat-1' },
    answers: {
      200: {
        description: 'The same text exists in this namespace already: nothing was written.',
        body: { ...exampleAccepted, duplicate: true, stage: 'done' },
      },
      202: {
        description: 'The memory was written. Its job, which begins as queued, shows when it is searchable.',
        body: exampleAccepted,
      },
    },
  },
  settle: settleJob,
  async handle({ caller, query, body, texts, once }, services) {
    const memory = await newMemory(services.memories, caller, body, texts, body.source ?? null);
    const similar = query.include === 'similar' ? await similarTo(memory, caller, services) : null;
    const answer = await admit(services, caller, once, memory);
    return similar ? withSimilar(answer, similar) : answer;
  },
});

/**
 * A checked body as a new memory, redacted before anything hashes it, stores it or waits with it. The mark can be longer
 * than what it replaces, so both what was sent and what is stored must keep to the limits.
 * @throws Refusal content_too_large, metadata_too_large, rate_limited
 */
export async function newMemory(
  { redact }: Pick<ForMemories, 'redact'>,
  { workspaceId }: Caller,
  body: Omit<InputOf<typeof memoryIn>, 'source'>,
  texts: ReadonlyMap<string, string>,
  source: string | null,
  label: string | null = null,
  assumed?: Assumed,
): Promise<NewMemory> {
  const { namespace, playground = false } = body;
  const sent = { content: body.content, metadata: texts.get('metadata') ?? '{}' };
  checkSizes(sent.content, sent.metadata);
  const {
    content,
    metadata,
    source: from,
    label: named,
    found,
  } = await redact(workspaceId, {
    ...sent,
    source,
    label,
  });
  checkSizes(content, metadata);
  const stored = { content, metadata, source: from, label: named, sensitive: found, assumed };
  return { ...stored, namespace, playground, approvalId: body.approval_id };
}

/** Waits until the job of an accepted memory has ended, and answers as before with the stage that it has then. */
export async function settleJob(
  answer: Answer,
  { seconds, signal }: Patience,
  { memories: { jobWaits } }: Services,
): Promise<Answer> {
  const { body, headers } = answer;
  const accepted = memoryAccepted.parse(body instanceof RawJson ? JSON.parse(body.text) : body);
  const stage = isTerminal(accepted.stage)
    ? accepted.stage
    : await jobWaits.until(accepted.job_id, seconds * 1000, signal);
  if (stage === null) return answer;
  return { ...answer, body: { ...accepted, stage }, headers: { ...headers, 'preference-applied': `wait=${seconds}` } };
}

/** @throws Refusal content_too_large, metadata_too_large */
export function checkSizes(content: string, metadata: string): void {
  checkSize('content_too_large', content, limits.contentBytes);
  checkSize('metadata_too_large', metadata, limits.metadataBytes);
}

function checkSize(code: 'content_too_large' | 'metadata_too_large', text: string, limit: number): void {
  const size = Buffer.byteLength(text);
  if (size > limit) throw new Refusal(code, undefined, { limit_bytes: limit, size_bytes: size });
}

/**
 * Runs the write, and wakes those who have work because of it. 202 for a new memory, 200 for one that is already there. What the search
 * index needs is made before, because other writers wait while a write is decided and appended.
 */
export async function admit(
  { writing: { run, world }, memories }: Pick<Services, 'writing' | 'memories'>,
  caller: Caller,
  request: RequestKey,
  newcomer: NewMemory,
): Promise<AnswerOf<typeof addedAnswers>> {
  const text = await memories.forIndex(newcomer.content);
  const command = answering(addMemory(world, caller, newcomer, text), ({ indexed, ...body }) => {
    if (body.duplicate) return { status: 200, body, next: null };
    return { status: 202, body, next: indexed === undefined ? 'index' : indexed.isListenedFor ? 'notify' : null };
  });
  const answer = await run(caller.workspaceId, once(command, request));
  // The answer to an earlier request, behind which there is no new work.
  if (!('next' in answer)) return answer;
  const { next, ...given } = answer;
  if (next === 'index') memories.wakePipeline();
  if (next === 'notify') memories.wakeAdmissions();
  return given;
}
