import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { z } from 'zod';
import { chance } from './chance.js';
import type { DayOfWorkspace } from './history.js';
import type { Member } from './members.js';
import type { Receipt } from './task.js';

export interface DeliveryOptions {
  readonly clients: number;
  readonly batch: number;
  /** The share of batches before which a receipt with a fault is sent, to see refusals. */
  readonly wrong: number;
  readonly seed: number | string;
}

/** Everything that the clients saw. */
export interface Delivered {
  recorded: number;
  duplicates: number;
  requests: number;
  seconds: number;
  /** Milliseconds of each request. */
  ms: number[];
  /** Code → number of requests. */
  refusals: Map<string, number>;
}

const accepted = z.object({ data: z.array(z.object({ duplicate: z.boolean() })) });
const refused = z.union([
  z.object({ error: z.object({ code: z.string() }) }).transform(({ error }) => error.code),
  z.object({ error: z.string() }).transform(({ error }) => error),
]);

/**
 * Sends receipts by several clients at once. Those that state something about an object of the market go one after the
 * other, in the order of their times; all others of a workspace are spread over its lanes.
 */
export async function deliver(
  origin: string,
  members: readonly Member[],
  days: Iterable<DayOfWorkspace> | AsyncIterable<DayOfWorkspace>,
  options: DeliveryOptions,
): Promise<Delivered> {
  const { clients, batch, wrong, seed } = options;
  const pool = new Pool(origin, { connections: clients });
  const seen: Delivered = { recorded: 0, duplicates: 0, requests: 0, seconds: 0, ms: [], refusals: new Map() };
  const random = chance(seed, 'wrong');
  const send = (member: Member, receipts: readonly unknown[]) => post(pool, member, receipts, seen);
  const lanes = createLanes(clients);
  const perWorkspace = Math.max(1, Math.floor(clients / members.length));
  const buffers = members.map(() => Array.from({ length: perWorkspace }, (): Receipt[] => []));
  const from = performance.now();

  async function flush(workspace: number, lane: number, least: number): Promise<void> {
    const buffer = buffers[workspace]?.[lane] ?? [];
    const member = members[workspace];
    while (member && buffer.length >= least && buffer.length > 0) {
      const receipts = buffer.splice(0, batch);
      const faulty = random.happens(wrong) ? [{ ...receipts[0], status: 'done' }] : null;
      await lanes.add(`${workspace} ${lane}`, async () => {
        if (faulty) await send(member, faulty);
        await send(member, receipts);
      });
    }
  }

  for await (const { workspace, receipts } of days) {
    for (const [at, receipt] of receipts.entries()) {
      const lane = isStatement(receipt) ? 0 : at % perWorkspace;
      buffers[workspace]?.[lane]?.push(receipt);
    }
    for (let lane = 0; lane < perWorkspace; lane += 1) await flush(workspace, lane, batch);
    showProgress(seen);
  }
  for (const [workspace, own] of buffers.entries()) {
    for (let lane = 0; lane < own.length; lane += 1) await flush(workspace, lane, 1);
  }
  await lanes.done();
  seen.seconds = (performance.now() - from) / 1000;
  await pool.close();
  return seen;
}

function showProgress({ recorded }: Delivered): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${recorded} receipts `);
}

const stated = ['settlement', 'rfq', 'auction', 'forward', 'dispute'];

function isStatement({ market }: Receipt): boolean {
  return typeof market === 'object' && market !== null && stated.some((name) => name in market);
}

/** Lanes of work: one piece after the other in each, and `atOnce` pieces in all. `add` waits while much is queued. */
function createLanes(atOnce: number) {
  const ends = new Map<string, Promise<void>>();
  const waiting: (() => void)[] = [];
  let running = 0;
  let pending = 0;
  let failure: unknown;
  const enter = async () => {
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
  };
  const leave = () => {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  };
  const run = async (before: Promise<void> | undefined, work: () => Promise<void>) => {
    await before;
    await enter();
    try {
      if (failure === undefined) await work();
    } catch (error) {
      failure = error;
    } finally {
      leave();
      pending -= 1;
    }
  };
  return {
    async add(lane: string, work: () => Promise<void>): Promise<void> {
      while (pending >= 4 * atOnce) await sleep(1);
      if (failure !== undefined) throw failure;
      pending += 1;
      ends.set(lane, run(ends.get(lane), work));
    },
    async done(): Promise<void> {
      await Promise.all(ends.values());
      if (failure !== undefined) throw failure;
    },
  };
}

async function post(pool: Pool, { key }: Member, receipts: readonly unknown[], seen: Delivered): Promise<void> {
  const body = JSON.stringify({ receipts });
  for (;;) {
    const sent = performance.now();
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const answer = await pool.request({ method: 'POST', path: '/v1/receipts', headers, body });
    const text = await answer.body.text();
    seen.ms.push(performance.now() - sent);
    seen.requests += 1;
    if (answer.statusCode === 200 || answer.statusCode === 201) {
      const { data } = accepted.parse(JSON.parse(text));
      const duplicates = data.filter(({ duplicate }) => duplicate).length;
      seen.recorded += data.length - duplicates;
      seen.duplicates += duplicates;
      return;
    }
    const code = refused.parse(JSON.parse(text));
    seen.refusals.set(code, (seen.refusals.get(code) ?? 0) + 1);
    if (answer.statusCode !== 429 && answer.statusCode !== 503) return;
    await sleep(1000 * Number(answer.headers['retry-after'] ?? 1));
  }
}
