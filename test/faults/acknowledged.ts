import { z } from 'zod';
import { taskReceipt } from '../http/task-receipt.js';

const clients = 8;
export const key = 'ak_kill00000000000000000000000000000';

/** Everything that was acknowledged. */
export interface Acknowledged {
  /** Memory id → its content, or null once its delete was acknowledged. */
  readonly memories: Map<string, string | null>;
  /** Bodies of batches of task receipts. */
  readonly batches: string[];
  /** A batch of 1,000 memories that was sent, and its results once they were answered. */
  memoryBatch?: { readonly body: string; results: Results | null };
}

const inBatch = 1000;
const batchAnswer = z.object({
  results: z.array(z.object({ status: z.literal(202), memory_id: z.string(), receipt_id: z.string() })).length(inBatch),
});
type Results = z.infer<typeof batchAnswer>['results'];

/** Sends 1,000 memories in one call, under a key. A call that breaks off says nothing. */
export async function loadBatch(origin: string, seen: Acknowledged, label: string): Promise<void> {
  const memories = Array.from({ length: inBatch }, (_, n) => ({ content: `${label} of a batch ${n}` }));
  seen.memoryBatch = { body: JSON.stringify({ memories }), results: null };
  seen.memoryBatch.results = await sendBatch(origin, seen.memoryBatch.body).catch(() => null);
}

async function sendBatch(origin: string, body: string): Promise<Results> {
  const headers = { authorization: `Bearer ${key}`, 'idempotency-key': 'a-batch-of-memories' };
  const response = await fetch(`${origin}/v1/memories/batch`, { method: 'POST', headers, body });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`a batch is refused: ${response.status} ${text}`);
  return batchAnswer.parse(JSON.parse(text)).results;
}

/**
 * Sends a batch again that was killed, twice: every memory is then written, as one that was acknowledged before or now, and the
 * second answer repeats the first.
 */
async function batchFaults(
  origin: string,
  { body, results }: NonNullable<Acknowledged['memoryBatch']>,
): Promise<string[]> {
  const now = await sendBatch(origin, body);
  const again = await sendBatch(origin, body);
  const ids = new Set(now.flatMap(({ memory_id, receipt_id }) => [memory_id, receipt_id]));
  return [
    ...(results !== null && JSON.stringify(results) !== JSON.stringify(now)
      ? ['acknowledged results have changed']
      : []),
    ...(JSON.stringify(again) === JSON.stringify(now) ? [] : ['a repetition has other results']),
    ...(ids.size === 2 * inBatch ? [] : ['two memories of a batch are the same']),
  ];
}

/** Clients that write, delete and search until the service is gone, or until they are stopped. A request that breaks off reports nothing. */
export async function load(
  origin: string,
  { memories: seen, batches }: Acknowledged,
  label: string,
  stopping?: AbortSignal,
): Promise<void> {
  const headers = { authorization: `Bearer ${key}` };
  const ask = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${origin}${path}`, {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    return { status: response.status, memoryId: /"memory_id":"([^"]+)"/.exec(text)?.[1] };
  };
  const client = async (name: number) => {
    const own: string[] = [];
    for (let i = 0; i < 10_000 && !stopping?.aborted; i += 1) {
      const content = `${label} client ${name} memory ${i}`;
      const added = await ask('POST', '/v1/memories', { content, source: label });
      if (added.status === 202 && added.memoryId !== undefined) {
        seen.set(added.memoryId, content);
        own.push(added.memoryId);
      }
      if (i % 5 === 4) await ask('POST', '/v1/memories/search', { query: `client ${name} memory` });
      if (i % 4 === 3) {
        const receipts = Array.from({ length: 5 }, (_, n) => taskReceipt({ receipt_id: `${content} ${n}`, more: n }));
        if ((await ask('POST', '/v1/receipts', { receipts })).status === 201)
          batches.push(JSON.stringify({ receipts }));
      }
      const victim = i % 7 === 6 ? own.shift() : undefined;
      if (victim !== undefined) {
        // Between sending a delete and its answer no one can know whether the memory is there.
        seen.delete(victim);
        if ((await ask('DELETE', `/v1/memories/${victim}`)).status === 200) seen.set(victim, null);
      }
    }
  };
  await Promise.allSettled(Array.from({ length: clients }, (_, name) => client(name)));
}

/** Everything that is not there of what was acknowledged, or there though its delete was. */
export async function missing(origin: string, { memories, batches, memoryBatch }: Acknowledged): Promise<string[]> {
  const headers = { authorization: `Bearer ${key}` };
  const faults = memoryBatch ? await batchFaults(origin, memoryBatch) : [];
  const batch = async (body: string) => {
    const { status } = await fetch(`${origin}/v1/receipts`, { method: 'POST', headers, body });
    if (status !== 200) faults.push(`task receipts are not recorded: ${status} ${body}`);
  };
  const memory = async ([id, content]: readonly [string, string | null]) => {
    const response = await fetch(`${origin}/v1/memories/${id}`, { headers });
    const text = await response.text();
    const right =
      content === null ? response.status === 404 : response.status === 200 && text.includes(JSON.stringify(content));
    if (!right) faults.push(`${id} (${content ?? 'deleted'}): ${response.status}`);
  };
  await together(batches, batch);
  await together(memories, memory);
  return faults;
}

/** Some at a time. */
async function together<T>(all: Iterable<T>, one: (item: T) => Promise<void>): Promise<void> {
  const left = all[Symbol.iterator]();
  const next = async () => {
    for (let item = left.next(); !item.done; item = left.next()) await one(item.value);
  };
  await Promise.all(Array.from({ length: clients }, next));
}
