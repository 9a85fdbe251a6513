import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { measureCommand } from './command.js';
import { runEconomy } from './economy/economy.js';
import { type Member, makeMembers } from './economy/members.js';
import { latencies, load } from './load.js';
import { machineLine, table } from './machine.js';
import { type BenchService, startService, temporaryDirectory } from './service.js';
import { residentMb } from './usage.js';

const port = 8193;
const workspaces = 3;
const economy = { workspaces, clients: 8, batch: 100, days: 30, linked: 3, wrong: 0, live: 0, rate: 20, publish: true };
const names = ['terminal', 'discovery', 'standards/disputes', 'trading', 'treasury', 'attribution'];
const shown = z.object({ summary: z.object({ as_of: z.string(), evidence: z.object({ receipts: z.number() }) }) });

/**
 * Public feeds of a store with this number of public receipts: the time of a request while receipts come in, the time from the
 * answer to a receipt until the terminal has it, the time of a start, the memory of the service, and how fast the feeds are
 * computed again from the entries.
 */
export async function benchFeeds(receipts: number, env: Readonly<Record<string, string>>): Promise<void> {
  const store = temporaryDirectory();
  try {
    const service = await startService(store.path, port, env);
    const members = makeMembers(workspaces, { DATA_DIR: store.path, OTS_CALENDARS: 'off', ...env });
    const rows: (readonly (string | number)[])[] = [[machineLine()], []];
    const from = performance.now();
    await runEconomy(service.origin, members, { ...economy, seed: 1, receipts, untilMs: Date.now() });
    rows.push([`${receipts} receipts were recorded in ${seconds(from)} s`]);
    const caughtUp = performance.now();
    const recorded = await whenGrown(service, receipts - 1);
    rows.push([
      `the terminal had ${recorded} of them ${seconds(caughtUp)} s later`,
      `${residentMb(service.process)} MiB`,
    ]);
    rows.push([], ['feed', 'p50 ms', 'p95 ms', 'p99 ms']);
    for (const name of names) rows.push([name, ...(await measured(service, members, name))]);
    const [member] = members;
    if (member) rows.push([], [`from an answer to the feed: ${await lag(service, member)} s`]);
    rows.push([`after that ${residentMb(service.process)} MiB`]);
    await service.stop();
    const again = await startService(store.path, port, env);
    const served = performance.now();
    await whenGrown(again, 0);
    rows.push([`start: ready after ${(again.startMs / 1000).toFixed(1)} s, feeds ${seconds(served)} s later`]);
    await again.stop();
    rows.push([], ['recompute', 's', 'receipts/s', 'at most MiB']);
    for (const name of ['terminal', 'treasury'])
      rows.push([name, ...(await recomputed(store.path, env, name, receipts))]);
    console.log(table(rows));
  } finally {
    store.remove();
  }
}

const seconds = (from: number): string => ((performance.now() - from) / 1000).toFixed(1);

/** Requests of 8 clients while receipts of the present come in. */
async function measured(service: BenchService, members: readonly Member[], name: string): Promise<string[]> {
  const ingesting = runEconomy(service.origin, members, {
    ...economy,
    seed: `live ${name}`,
    receipts: 0,
    live: 15,
    linked: 0,
    untilMs: Date.now(),
  });
  const result = await load(service, 8, 40_000, (send) =>
    send('GET', `/v1/${name}`, undefined, { 'accept-encoding': 'br' }),
  );
  await ingesting;
  return latencies(result);
}

/** A feed of now, computed from the entries of the store by a process of its own. */
async function recomputed(
  dataDir: string,
  env: Readonly<Record<string, string>>,
  name: string,
  receipts: number,
): Promise<string[]> {
  const at = new Date(Date.now() - 60_000).toISOString();
  const { seconds: took, mostMb } = await measureCommand(['recompute', name, '--at', at], {
    DATA_DIR: dataDir,
    ...env,
  });
  return [took.toFixed(1), (receipts / took).toFixed(0), String(mostMb)];
}

/** The number of receipts in the terminal, once it is larger. */
async function whenGrown(service: BenchService, than: number): Promise<number> {
  for (;;) {
    const response = await fetch(`${service.origin}/v1/terminal`);
    const count = response.ok ? shown.parse(await response.json()).summary.evidence.receipts : 0;
    if (count > than) return count;
    await sleep(250);
  }
}

/** Seconds from the answer to a receipt until the terminal shows one more. Nothing else is sent meanwhile. */
async function lag(service: BenchService, member: Member): Promise<string> {
  // The receipts of the load before it are in the feed then.
  await sleep(70_000);
  const before = await whenGrown(service, 0);
  const at = new Date().toISOString();
  const response = await fetch(`${service.origin}/v1/receipts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${member.key}` },
    body: JSON.stringify({
      receipt_id: `lag ${at}`,
      agent_handle: '@lag',
      platform: 'sdk',
      started_at: at,
      ended_at: at,
      status: 'success',
    }),
  });
  if (response.status !== 201) throw new Error(`the receipt was answered with ${response.status}`);
  const answered = performance.now();
  await whenGrown(service, before);
  return seconds(answered);
}
