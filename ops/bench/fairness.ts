import { execFileSync } from 'node:child_process';
import { setMaxListeners } from 'node:events';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { packageRoot } from '../../src/base/package-root.js';
import { textPdf } from '../../test/import/pdf.js';
import { type Attack, attacks, newAgentKey } from './fairness-attacks.js';
import { machineLine, quantile, table } from './machine.js';
import { type BenchService, startService, temporaryDirectory, untilSettled } from './service.js';
import { signIn } from './sign-in.js';

const owner = { email: 'owner@example.org', password: 'a password of the bench' };
const usual = { quietMs: 5000, attackMs: 10_000 };

/**
 * What a quiet workspace sees while another one does its worst, with the limits of rates on: the 99th percentile of its small
 * requests before and during each attack, and the slowest one-line memory, one-line PDF, export and export of spans.
 */
export async function benchFairness(part: string, env: Readonly<Record<string, string>>): Promise<void> {
  const store = temporaryDirectory();
  const given = { ...env, OWNER_EMAIL: owner.email, OWNER_PASSWORD: owner.password, ALLOW_PRIVATE_URLS: '1' };
  const service = await startService(store.path, 8203, { ...given, RATE_LIMITS: 'on', TRUST_PROXY: '1' });
  try {
    const cookie = await signIn(service, owner.email, owner.password);
    const attacker = { service, cookie, agentKey: await newAgentKey(service, cookie) };
    const quiet = quietClient(service, newWorkspace(store.path, env));
    console.log(
      `${machineLine()}, load ${loadavg()
        .map((one) => one.toFixed(1))
        .join(' ')}`,
    );
    const rows: (readonly string[])[] = [];
    for (const attack of attacks.filter(({ name }) => name.includes(part))) {
      rows.push(await measured(attack, quiet, attacker));
      console.log(rows.at(-1)?.join('  '));
    }
    console.log(
      table([
        [machineLine()],
        [],
        [
          'attack',
          'p99 before',
          'p99 during',
          'one-line memory',
          'one-line PDF',
          'export',
          'export of spans',
          'refused',
        ],
        ...rows,
      ]),
    );
    console.log(
      `Load of the machine at the end: ${loadavg()
        .map((one) => one.toFixed(1))
        .join(' ')}`,
    );
  } finally {
    service.process.kill('SIGKILL');
    store.remove();
  }
}

/** A second workspace, made as an operator does while the service runs. @returns its API key */
function newWorkspace(dataDir: string, env: Readonly<Record<string, string>>): string {
  const workspaces = (...args: string[]) =>
    execFileSync(process.execPath, [join(packageRoot, 'dist/src/cli/main.js'), 'workspaces', ...args], {
      env: { PATH: process.env.PATH ?? '', DATA_DIR: dataDir, PORT: '8203', ...env },
      encoding: 'utf8',
    });
  const [, id = '', key = ''] =
    /Workspace (\S+)[\s\S]*API key {3}(\S+)/.exec(workspaces('add', 'quiet@example.org')) ?? [];
  workspaces('set', id, '--plan', 'enterprise', '--memory-api', 'on');
  return key;
}

interface Seen {
  readonly small: number[];
  readonly memory: number[];
  readonly pdf: number[];
  readonly export: number[];
  readonly spans: number[];
  refused: number;
}

/** An export of spans that is read in the thread. */
const spans = gzipSync(Buffer.alloc(200_000, Buffer.from([0x12, 0x00])));

type Quiet = ReturnType<typeof quietClient>;

function quietClient({ origin }: BenchService, key: string) {
  let sent = 0;
  async function timed(
    into: number[],
    seen: Seen,
    method: string,
    path: string,
    body?: string | Uint8Array<ArrayBuffer>,
    headers = {},
  ) {
    sent += 1;
    const from = performance.now();
    const own = { authorization: `Bearer ${key}`, 'x-forwarded-for': `203.0.113.${sent % 4}`, ...headers };
    const answer = await fetch(`${origin}${path}`, { method, headers: own, ...(body === undefined ? {} : { body }) });
    await answer.arrayBuffer();
    into.push(performance.now() - from);
    if (answer.status >= 400) seen.refused += 1;
  }
  /** Small requests one after the other, and beside them the four that must be fast, again and again. */
  return async (ms: number): Promise<Seen> => {
    const seen: Seen = { small: [], memory: [], pdf: [], export: [], spans: [], refused: 0 };
    const until = performance.now() + ms;
    const small = async () => {
      for (let n = 0; performance.now() < until; n += 1) {
        if (n % 3 > 0) await timed(seen.small, seen, 'GET', '/v1/memories?limit=5');
        else await timed(seen.small, seen, 'POST', '/v1/memories/search', JSON.stringify({ query: 'the heron', k: 3 }));
        await pause(80);
      }
    };
    const large = async () => {
      while (performance.now() < until) {
        const note = JSON.stringify({ content: `one line of the quiet workspace, number ${sent}` });
        await timed(seen.memory, seen, 'POST', '/v1/memories', note, { prefer: 'wait=10' });
        const pdf = textPdf([[`one line of the quiet workspace in a file, number ${sent}`]]).toString('base64');
        const file = JSON.stringify({ kind: 'file', filename: 'line.pdf', data_base64: pdf });
        await timed(seen.pdf, seen, 'POST', '/v1/ingest', file, { prefer: 'wait=10' });
        await timed(seen.export, seen, 'GET', '/v1/memories/export');
        const encoding = { 'content-type': 'application/x-protobuf', 'content-encoding': 'gzip' };
        await timed(seen.spans, seen, 'POST', '/v1/otlp/v1/traces', new Uint8Array(spans), encoding);
        await pause(250);
      }
    };
    await Promise.all([small(), large()]);
    return seen;
  };
}

async function measured(attack: Attack, quiet: Quiet, attacker: Parameters<Attack['run']>[0]) {
  // The memories of the attack before this one.
  await untilSettled(attacker.service);
  const before = await quiet(usual.quietMs);
  const end = new AbortController();
  setMaxListeners(0, end.signal);
  const running = attack.run(attacker, end.signal);
  await pause(1000);
  const during = await quiet(usual.attackMs);
  end.abort();
  await running;
  const worst = (values: readonly number[]) => shown(Math.max(...values));
  const p99 = (values: readonly number[]) => shown(quantile(values, 0.99));
  return [
    attack.name,
    p99(before.small),
    p99(during.small),
    worst(during.memory),
    worst(during.pdf),
    worst(during.export),
    worst(during.spans),
    String(before.refused + during.refused),
  ];
}

const shown = (ms: number): string => `${ms.toFixed(0)} ms`;
