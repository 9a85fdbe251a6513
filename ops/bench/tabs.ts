import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { type Browser, chromium } from 'playwright-core';
import { machineLine, quantile, table } from './machine.js';
import { type BenchService, startService, temporaryDirectory, untilSettled } from './service.js';
import { signIn } from './sign-in.js';
import { processorSeconds } from './usage.js';

const port = 18_973;
const tabs = 20;
const searches = 250;
const owner = { email: 'owner@localhost', password: 'a password of a bench' };
const list = '/receipts?follow=1';

/** Tabs that follow the receipts of the workspace: how many of their looks were answered, until they are closed. */
interface Tabs {
  readonly looks: () => number;
  close(): Promise<void>;
}

/**
 * What other clients wait for while 20 tabs follow the list of receipts. Each search is a receipt, so the tabs always have news. The
 * baseline is the same searches with no tab open, in the same run.
 * @param rounds how often each phase is measured
 */
export async function benchTabs(rounds: number, env: Readonly<Record<string, string>>): Promise<void> {
  const directory = temporaryDirectory();
  const settings = { OWNER_EMAIL: owner.email, OWNER_PASSWORD: owner.password };
  const service = await startService(directory.path, port, { ...env, ...settings });
  try {
    for (let n = 0; n < 50; n += 1)
      await service.post('/v1/memories', { content: `note ${n}: the heron is in the shallows` });
    await untilSettled(service);
    await searchOneByOne(service);
    const cookie = await signIn(service, owner.email, owner.password);
    console.log(machineLine());
    console.log(`one look without news: ${(await costOfLook(service, cookie)).toFixed(1)} ms of processor time`);
    const rows = [['phase', 'p50 ms', 'p95', 'p99', 'p95 ratio', 'looks', 'processor ms a search']];
    for (let round = 1; round <= rounds; round += 1) rows.push(...(await measureRound(service, cookie)));
    console.log(table(rows));
  } finally {
    await service.stop();
    directory.remove();
  }
}

async function measureRound(service: BenchService, cookie: string): Promise<string[][]> {
  const alone = await measure(service, `alone`, null);
  const byHttp = await measure(service, `${tabs} tabs, without a browser`, await followByHttp(service, cookie));
  const rows = [alone, byHttp];
  if (process.env.CHROMIUM !== undefined)
    rows.push(
      await measure(service, `${tabs} tabs in Chromium on this machine`, await followInBrowser(service, cookie)),
    );
  return rows.map(({ name, waits, looks, processorMs }) => [
    name,
    ...[0.5, 0.95, 0.99].map((share) => quantile(waits, share).toFixed(0)),
    (quantile(waits, 0.95) / quantile(alone.waits, 0.95)).toFixed(2),
    String(looks),
    processorMs.toFixed(1),
  ]);
}

async function measure(service: BenchService, name: string, open: Tabs | null) {
  await pause(3000);
  const looksBefore = open?.looks() ?? 0;
  const before = processorSeconds(service.process);
  const waits = await searchOneByOne(service);
  const processorMs = ((processorSeconds(service.process) - before) * 1000) / searches;
  const looks = (open?.looks() ?? 0) - looksBefore;
  await open?.close();
  return { name, waits, looks, processorMs };
}

/** @returns how long each was waited for, in milliseconds */
async function searchOneByOne(service: BenchService): Promise<number[]> {
  const waits: number[] = [];
  for (let n = 0; n < searches; n += 1) {
    const from = performance.now();
    const { status } = await service.post('/v1/memories/search', { query: `where does heron ${n} stand`, k: 5 });
    if (status !== 200) throw new Error(`a search was answered with ${status}`);
    waits.push(performance.now() - from);
    await pause(40);
  }
  return waits;
}

/** @returns milliseconds of processor time */
async function costOfLook(service: BenchService, cookie: string): Promise<number> {
  const looks = 200;
  const after = await newestOf(service, cookie);
  const before = processorSeconds(service.process);
  for (let n = 0; n < looks; n += 1) await look(service, cookie, after);
  return ((processorSeconds(service.process) - before) * 1000) / looks;
}

/** Looks as the script of the page does (src/web/live/tail.ts): after 2 s where something came, after 10 s where nothing did. */
async function followByHttp(service: BenchService, cookie: string): Promise<Tabs> {
  const closing = new AbortController();
  setMaxListeners(tabs + 1, closing.signal);
  let looks = 0;
  const follow = async () => {
    let after = await newestOf(service, cookie);
    while (!closing.signal.aborted) {
      const newest = await look(service, cookie, after);
      looks += 1;
      const wait = newest === after ? 10_000 : 2000;
      after = newest;
      await pause(wait * (1 + Math.random() / 4), undefined, { signal: closing.signal }).catch(() => undefined);
    }
  };
  const following = Array.from({ length: tabs }, () => follow());
  return {
    looks: () => looks,
    async close() {
      closing.abort();
      await Promise.all(following);
    },
  };
}

const newestOf = async (service: BenchService, cookie: string): Promise<string> =>
  newestIn(await page(service, cookie, list));

const look = async (service: BenchService, cookie: string, after: string): Promise<string> =>
  newestIn(await page(service, cookie, `${list}&after=${after}`));

function newestIn(text: string): string {
  const [, after] = /data-after="(\d+)"/.exec(text) ?? [];
  if (after === undefined) throw new Error('the list of receipts does not say its newest entry');
  return after;
}

async function page({ origin }: BenchService, cookie: string, path: string): Promise<string> {
  const response = await fetch(`${origin}${path}`, { headers: { cookie, accept: 'text/html' }, redirect: 'manual' });
  if (response.status !== 200) throw new Error(`${path} was answered with ${response.status}`);
  return response.text();
}

async function followInBrowser(service: BenchService, cookie: string): Promise<Tabs> {
  const browser: Browser = await chromium.launch({
    ...(process.env.CHROMIUM === undefined ? {} : { executablePath: process.env.CHROMIUM }),
    args: ['--no-sandbox', '--no-proxy-server'],
  });
  const [name = '', value = ''] = cookie.split(/=(.*)/s);
  const context = await browser.newContext();
  await context.addCookies([{ name, value, url: service.origin }]);
  let looks = 0;
  context.on('response', (response) => {
    if (response.url().includes('after=') && response.status() === 200) looks += 1;
  });
  for (let n = 0; n < tabs; n += 1) await (await context.newPage()).goto(`${service.origin}${list}`);
  return { looks: () => looks, close: () => browser.close() };
}
