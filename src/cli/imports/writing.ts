import { z } from 'zod';
import { stringify } from '../../base/json-text.js';
import type { ImportItem } from '../../domain/imports/imported.js';
import { type Remote, readAnswer, readRefusal } from '../remote.js';
import { batchesOf, type Outgoing } from './batches.js';
import type { Tally } from './tally.js';

/** Refusals because of the credential. Every other memory would be refused too. */
const callerRefusals = new Set([
  'unauthorized',
  'session_expired',
  'credential_not_supported',
  'insufficient_scope',
  'key_has_no_namespaces',
  'read_only',
  'not_found',
]);

/** Statuses of refusals in a batch that end by waiting: the budget of the workspace is used up, or the store is busy. */
const passing = new Set([429, 503]);

/** How often the rest of a batch is sent together. After that each memory is sent by itself. */
const mostRounds = 20;

const accepted = z.object({
  memory_id: z.string(),
  duplicate: z.boolean(),
  invalidated: z.literal(true).optional(),
  ignored: z.array(z.string()).optional(),
  redacted: z.record(z.string(), z.int()).optional(),
});
type Accepted = z.output<typeof accepted>;

const refusedOne = z.object({ status: z.int(), error: z.object({ code: z.string(), message: z.string() }) });
const batchAnswer = z.object({ results: z.array(z.union([accepted, refusedOne])) });

/** The parts that every request of an import uses. */
interface Writing {
  readonly remote: Remote;
  readonly tally: Tally;
  /** Returns the Idempotency-Key of the next request. */
  readonly keyOf: () => string;
}

/**
 * Writes memories in batches, one after the other: what was written before and after a memory helps a search to find it, so the order of
 * what is imported is the order of writing.
 * @throws Unavailable, and Error when the service refuses everything
 */
export async function writeItems(items: AsyncIterable<ImportItem>, writing: Writing): Promise<void> {
  for await (const batch of batchesOf(items, writing.tally)) await writeBatch(writing, batch);
}

/** Memories that are refused until something has passed are sent again, together with no others: then the service says how long to wait. */
async function writeBatch(writing: Writing, batch: readonly Outgoing[]): Promise<void> {
  let left = batch;
  for (let rounds = 0; left.length > 1 && rounds < mostRounds; rounds += 1) {
    const body = `{"memories":[${left.map(({ json }) => json).join(',')}]}`;
    const answer = await post(writing, '/v1/memories/batch', body);
    if (answer.status !== 200) return refusedBatch(writing, left, answer);
    const { results } = readAnswer(writing.remote, answer, batchAnswer);
    const again: Outgoing[] = [];
    for (const [at, one] of left.entries()) {
      const result = results[at];
      if (result === undefined)
        throw new Error(`${writing.remote.url} has left memories of a batch without an answer.`);
      if (!('error' in result)) await taken(writing, one, result);
      else if (passing.has(result.status)) again.push(one);
      else refused(writing, one, result.error);
    }
    left = again;
  }
  for (const one of left) await writeOne(writing, one);
}

/**
 * A batch can be refused where one memory is taken: its metadata are nested one level deeper there, for example. So it is sent in halves
 * then, and a memory that is left alone is sent by itself. Services of earlier versions know no batches at all.
 */
async function refusedBatch(writing: Writing, batch: readonly Outgoing[], answer: Reply): Promise<void> {
  const refusal = readRefusal(writing.remote, answer);
  if (refusal.code === 'route_not_found') {
    for (const one of batch) await writeOne(writing, one);
  } else if (answer.status === 400 || answer.status === 413) {
    const half = Math.ceil(batch.length / 2);
    await writeBatch(writing, batch.slice(0, half));
    await writeBatch(writing, batch.slice(half));
  } else for (const one of batch) refused(writing, one, refusal);
}

async function writeOne(writing: Writing, one: Outgoing): Promise<void> {
  const answer = await post(writing, '/v1/memories', one.json);
  if (answer.status === 200 || answer.status === 202) {
    await taken(writing, one, readAnswer(writing.remote, answer, accepted));
  } else refused(writing, one, readRefusal(writing.remote, answer));
}

async function taken(writing: Writing, one: Outgoing, accepted: Accepted): Promise<void> {
  const { memory_id, duplicate, invalidated, ignored = [], redacted } = accepted;
  const { invalidated: reason } = one.memory;
  // An import that was interrupted may have written the memory, and not yet have invalidated it.
  if (reason !== null && invalidated === undefined) {
    const done = await post(writing, `/v1/memories/${memory_id}/invalidate`, stringify({ reason }));
    if (done.status !== 200) return refused(writing, one, readRefusal(writing.remote, done));
  }
  const { tally } = writing;
  if (duplicate) tally.there();
  else tally.written();
  if (redacted !== undefined) tally.redacted(one.place, redacted);
  if (ignored.length > 0)
    tally.assumed(one.place, `the text is there already, with another ${ignored.join(' and ')}, which stays`);
}

type Reply = Awaited<ReturnType<Remote['ask']>>;

function post({ remote, keyOf }: Writing, path: string, body: string): Promise<Reply> {
  const headers = { 'content-type': 'application/json', 'idempotency-key': keyOf() };
  return remote.ask(path, { method: 'POST', headers, body, maxBytes: 4 * 1024 * 1024 });
}

interface RefusedBy {
  readonly code: string;
  readonly message: string;
}

function refused({ remote, tally }: Writing, { place, memory }: Outgoing, { code, message }: RefusedBy): void {
  if (callerRefusals.has(code)) throw new Error(`${remote.url} refuses every write: ${code}: ${message}`);
  if (code === 'namespace_not_found' && memory.namespace !== undefined) tally.unknownNamespace(memory.namespace);
  tally.refused(place, code, message);
}
