import { type Load, load } from '../load.js';
import { quantile } from '../machine.js';
import { processorSeconds } from '../usage.js';
import type { System } from './systems.js';

/** Requests to one system that are measured in the same rounds as those to others. */
export interface Contender {
  readonly name: string;
  readonly system: System;
  readonly path: string;
  readonly clients: number;
  /** Of a round. */
  readonly requests: number;
  body(): string;
  /** Waits until the system has done what it does after its answers. */
  settled?(): Promise<void>;
}

interface Round extends Load {
  /** Of one request, all that the process of the system used. */
  readonly processorMs: number;
}

const rounds = 3;
const warmUp = 100;

/** Rows of a table: one contender after the other in each round. The ratio is to the first one with as many clients. */
export async function rowsOf(contenders: readonly Contender[]): Promise<string[][]> {
  for (const contender of contenders) await send(contender, warmUp);
  const measured = contenders.map((contender): [Contender, Round[]] => [contender, []]);
  for (let round = 0; round < rounds; round += 1)
    for (const [contender, seen] of measured) seen.push(await roundOf(contender));
  const medianOf = (seen: readonly Round[]) =>
    quantile(
      seen.map(({ processorMs }) => processorMs),
      0.5,
    );
  return measured.map(([{ name, clients }, seen]) => {
    const [, first = []] = measured.find(([one]) => one.clients === clients) ?? [];
    const all = seen.flatMap(({ ms }) => ms);
    const costs = seen.map(({ processorMs }) => processorMs);
    return [
      name,
      String(clients),
      (seen.reduce((sum, { perSecond }) => sum + perSecond, 0) / rounds).toFixed(0),
      ...[0.5, 0.99].map((share) => quantile(all, share).toFixed(1)),
      medianOf(seen).toFixed(2),
      `${Math.min(...costs).toFixed(2)} to ${Math.max(...costs).toFixed(2)}`,
      (medianOf(seen) / medianOf(first)).toFixed(3),
    ];
  });
}

export const head = ['clients', 'per second', 'p50 ms', 'p99 ms', 'processor ms', 'of the rounds', 'ratio'];

async function roundOf(contender: Contender): Promise<Round> {
  const { system, requests, settled } = contender;
  await settled?.();
  const before = processorSeconds(system.process);
  const seen = await send(contender, requests);
  await settled?.();
  const processorMs = ((processorSeconds(system.process) - before) * 1000) / requests;
  return { ...seen, processorMs };
}

const json = { 'content-type': 'application/json' };

function send({ system, path, clients, body }: Contender, requests: number): Promise<Load> {
  // Made before, so that making them delays no answer.
  const bodies = Array.from({ length: requests }, body);
  return load(system, clients, requests, (post, at) => post('POST', path, bodies[at], json));
}
