import { setTimeout as pause } from 'node:timers/promises';
import { machineLine, quantile, table } from '../machine.js';
import { type BenchService, startService, temporaryDirectory, untilSettled, withClients } from '../service.js';
import { ask, signIn } from '../sign-in.js';
import { processorSeconds } from '../usage.js';
import { type Asked, askedIn, since } from './asked.js';
import { agentKeyOf, type Operation, operationsOf, type Send } from './operations.js';

const owner = { email: 'owner@localhost', password: 'a password of a bench' };

/** Runs before the measured ones, in which the caches of the service fill and its code is optimized. */
const warmUp = 40;
const idleSeconds = 10;

/**
 * The cost of twelve operations, with one client and with eight: processor time of the whole service, with what its workers do
 * because of them, and what was asked of the database. What an idle service does in the same time is taken off. The baseline is the
 * read of one memory with as many clients, in the same run.
 * @param memories in the store before
 * @param runs of each operation
 */
export async function benchCost(memories: number, runs: number, env: Readonly<Record<string, string>>): Promise<void> {
  const store = temporaryDirectory();
  const settings = { OWNER_EMAIL: owner.email, OWNER_PASSWORD: owner.password };
  const service = await startService(store.path, 8190, { ...env, ...settings });
  try {
    const send: Send = (method, path, body, headers = {}) => ask(service, method, path, { ...headers }, body);
    const cookie = await signIn(service, owner.email, owner.password);
    const operations = await operationsOf(send, await agentKeyOf(send, cookie));
    await fill(operations, memories);
    await untilSettled(service);
    const idle = await idleOf(service);
    const costs: Cost[] = [];
    for (const clients of [1, 8])
      for (const operation of operations) costs.push(await measure(service, operation, { clients, runs, idle }));
    const { processorMs, transactions } = idle;
    const atRest = `idle: ${(processorMs / 10).toFixed(1)} % of a processor, ${transactions.toFixed(1)} transactions a second`;
    console.log(table([[machineLine()], [`${memories} memories, ${runs} runs; ${atRest}`], [], ...rowsOf(costs)]));
  } finally {
    await service.stop();
    store.remove();
  }
}

async function fill([write]: readonly Operation[], memories: number): Promise<void> {
  const run = await write?.prepare(memories);
  await withClients(16, numbers(memories), async (at) => void (await run?.(at)));
}

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);

/** The use of processors and of the database by one run, or in a second. */
interface Used extends Asked {
  readonly processorMs: number;
}

interface Cost extends Used {
  readonly name: string;
  readonly clients: number;
  /** How long each run took, in milliseconds. */
  readonly ms: readonly number[];
}

/** Metrics are made once a second at most, so that a reading shows what was done before it only behind this time. */
const freshMs = 1100;

async function readingOf(service: BenchService): Promise<Used & { readonly seconds: number }> {
  await pause(freshMs);
  const metrics = await (await fetch(`${service.origin}/metrics`)).text();
  const processorMs = processorSeconds(service.process) * 1000;
  return { ...askedIn(metrics), processorMs, seconds: performance.now() / 1000 };
}

const between = (before: Used, after: Used): Used => ({
  ...since(before, after),
  processorMs: after.processorMs - before.processorMs,
});

/** The use by a service in a second without any caller, with a reading every ten seconds. */
async function idleOf(service: BenchService): Promise<Used> {
  const before = await readingOf(service);
  await pause(idleSeconds * 1000);
  const after = await readingOf(service);
  return divided(between(before, after), after.seconds - before.seconds);
}

interface Measuring {
  readonly clients: number;
  readonly runs: number;
  readonly idle: Used;
}

async function measure(service: BenchService, { name, prepare }: Operation, how: Measuring): Promise<Cost> {
  const { clients, runs, idle } = how;
  const run = await prepare(warmUp + runs);
  for (let at = 0; at < warmUp; at += 1) await run(at);
  await untilSettled(service);
  const ms: number[] = [];
  const before = await readingOf(service);
  await withClients(clients, numbers(runs), async (at) => {
    const sent = performance.now();
    await run(warmUp + at);
    ms.push(performance.now() - sent);
  });
  await untilSettled(service);
  const after = await readingOf(service);
  const [used, seconds] = [between(before, after), after.seconds - before.seconds];
  const own = {
    processorMs: used.processorMs - idle.processorMs * seconds,
    transactions: used.transactions - idle.transactions * seconds,
    statements: used.statements - idle.statements * seconds,
    messages: used.messages - idle.messages * seconds,
  };
  return { name, clients, ms, ...divided(own, runs) };
}

const divided = ({ processorMs, transactions, statements, messages }: Used, by: number): Used => ({
  processorMs: processorMs / by,
  transactions: transactions / by,
  statements: statements / by,
  messages: messages / by,
});

function rowsOf(costs: readonly Cost[]): string[][] {
  const medianOf = ({ ms }: Cost) => quantile(ms, 0.5);
  const baselineOf = (one: Cost) =>
    costs.find(({ name, clients }) => name === 'read a memory' && clients === one.clients) ?? one;
  const head = ['operation', 'clients', 'p50 ms', 'p99 ms', 'p50 / read', 'processor ms', 'transactions', 'statements'];
  return [
    [...head, 'messages'],
    ...costs.map((one) => [
      one.name,
      String(one.clients),
      ...[0.5, 0.99].map((share) => quantile(one.ms, share).toFixed(1)),
      (medianOf(one) / medianOf(baselineOf(one))).toFixed(1),
      one.processorMs.toFixed(2),
      ...[one.transactions, one.statements, one.messages].map((count) => count.toFixed(1)),
    ]),
  ];
}
