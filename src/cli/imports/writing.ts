import { z } from 'zod';
import type { ImportedMemory, ImportItem } from '../../domain/imports/imported.js';
import { RawJson, stringify } from '../../domain/json-text.js';
import { type Remote, readAnswer, readRefusal } from '../remote.js';
import type { Tally } from './tally.js';

/** The number of concurrent writes. The service commits waiting writes of one chain together. */
const atOnce = 8;

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

const accepted = z.object({
  memory_id: z.string(),
  duplicate: z.boolean(),
  invalidated: z.literal(true).optional(),
});

/**
 * Writes memories, several at the same time.
 * @param keyOf returns the Idempotency-Key of the next write
 * @throws Unavailable, and Error when the service refuses everything
 */
export async function writeItems(
  remote: Remote,
  items: AsyncIterable<ImportItem>,
  tally: Tally,
  keyOf: () => string,
): Promise<void> {
  const waiting = items[Symbol.asyncIterator]();
  let stopped = false;
  const worker = async () => {
    for (let next = await waiting.next(); !next.done && !stopped; next = await waiting.next()) {
      const { place, memory } = next.value;
      if (typeof memory === 'string') tally.refused(place, 'not_a_memory', memory);
      else await write(remote, memory, { key: keyOf(), place, tally });
    }
  };
  const stop = (error: unknown) => {
    stopped = true;
    throw error;
  };
  const ended = await Promise.allSettled(Array.from({ length: atOnce }, () => worker().catch(stop)));
  const failed = ended.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
}

interface At {
  readonly key: string;
  readonly place: string;
  readonly tally: Tally;
}

async function write(remote: Remote, memory: ImportedMemory, at: At): Promise<void> {
  const { content, metadata, source, playground, namespace, invalidated } = memory;
  const body = stringify({ content, metadata: new RawJson(metadata), source, playground, namespace });
  const answer = await post(remote, '/v1/memories', body, at.key);
  if (answer.status !== 200 && answer.status !== 202) return refused(remote, answer, at, namespace);
  const { memory_id, duplicate, invalidated: isInvalidated } = readAnswer(remote, answer, accepted);
  // An import that was interrupted may have written the memory, and not yet have invalidated it.
  if (invalidated !== null && isInvalidated === undefined) {
    const path = `/v1/memories/${memory_id}/invalidate`;
    const done = await post(remote, path, stringify({ reason: invalidated }), `${at.key}-invalidate`);
    if (done.status !== 200) return refused(remote, done, at, namespace);
  }
  if (duplicate) at.tally.there();
  else at.tally.written();
}

type Reply = Awaited<ReturnType<Remote['ask']>>;

function post(remote: Remote, path: string, body: string, key: string): Promise<Reply> {
  const headers = { 'content-type': 'application/json', 'idempotency-key': key };
  return remote.ask(path, { method: 'POST', headers, body, maxBytes: 1024 * 1024 });
}

function refused(remote: Remote, answer: Reply, { place, tally }: At, namespace: string | undefined): void {
  const { code, message } = readRefusal(remote, answer);
  if (callerRefusals.has(code)) throw new Error(`${remote.url} refuses every write: ${code}: ${message}`);
  if (code === 'namespace_not_found' && namespace !== undefined) tally.unknownNamespace(namespace);
  tally.refused(place, code, message);
}
