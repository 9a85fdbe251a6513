import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import pg from 'pg';
import { expect, it, vi } from 'vitest';
import { type Asked, since } from '../../../ops/bench/cost/asked.js';
import { agentKeyOf, operationsOf, type Send } from '../../../ops/bench/cost/operations.js';
import { ask } from '../../http/ask.js';
import { signedIn } from '../../http/person.js';
import { apiKey, type Service, startService } from '../../http/service.js';

/** The most that each operation may ask of the embedded database. `COSTS=write` writes the table from what was measured. */
const path = join(import.meta.dirname, 'cost.json');
const owner = { email: 'ada@example.org', password: 'a password of the owner' };
const repetitions = 8;

const sender =
  (service: Service): Send =>
  async (method, at, body, headers = {}) => {
    const key = 'cookie' in headers ? {} : { authorization: `Bearer ${apiKey}` };
    const { status, text, json } = await ask(service.app.server.listeningOrigin, method, at, {
      headers: { ...key, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (status >= 300) throw new Error(`${method} ${at} was answered with ${status}: ${text}`);
    return json;
  };

/** Bytes of a message with `rollback` alone. */
const endOfRead = 14;

const query = vi.spyOn(pg.Client.prototype, 'query');
const postMessage = vi.spyOn(Worker.prototype, 'postMessage');

/** All that was asked of the database so far. */
function asked(): Asked {
  const statements = query.mock.calls.map(([first]) => (typeof first === 'string' ? first : ''));
  return {
    statements: statements.length,
    transactions: statements.filter((text) => text.startsWith('begin')).length,
    // The end of a read may go alone or with what follows it, as the time of the machine has it.
    messages: postMessage.mock.calls.filter(([message]) => message instanceof Uint8Array && message.length > endOfRead)
      .length,
  };
}

/** The least that was asked in several runs: a worker that looks for work at the same time only adds to a run. */
async function leastOf(service: Service, run: (at: number) => Promise<unknown>): Promise<Asked> {
  const found: Asked[] = [];
  for (let at = 0; at < repetitions; at += 1) {
    await service.settled();
    const before = asked();
    await run(at);
    found.push(since(before, asked()));
  }
  const least = (name: keyof Asked) => Math.min(...found.map((one) => one[name]));
  return { transactions: least('transactions'), statements: least('statements'), messages: least('messages') };
}

it('no operation asks more of the database than before', { timeout: 300_000 }, async () => {
  const directory = mkdtempSync(join(tmpdir(), 'counterfoil-cost-'));
  const settings = { DATA_DIR: directory, OWNER_EMAIL: owner.email, OWNER_PASSWORD: owner.password };
  const filling = await startService(settings);
  const key = await agentKeyOf(sender(filling), (await signedIn(filling, owner)).cookie());
  const [write] = await operationsOf(sender(filling), key);
  const run = await write?.prepare(40);
  for (let at = 0; at < 40; at += 1) await run?.(at);
  await filling.settled();
  await filling.stop();

  // Without the workers of the other roles, which look for work too.
  const service = await startService({ ...settings, ROLES: 'http,ingest' });
  const costs: Record<string, Asked> = {};
  // It waits until the memory can be found, so the rounds of workers are a part of it.
  const withoutWorkers = (await operationsOf(sender(service), key)).filter(({ name }) => name !== 'remember over MCP');
  for (const { name, prepare } of withoutWorkers) costs[name] = await leastOf(service, await prepare(repetitions));
  await service.stop();
  rmSync(directory, { recursive: true });

  if (process.env.COSTS === 'write') writeFileSync(path, `${JSON.stringify(costs, null, 2)}\n`);
  const allowed: Record<string, Asked> = JSON.parse(readFileSync(path, 'utf8'));
  expect(Object.keys(costs)).toEqual(Object.keys(allowed));
  const grown = Object.entries(costs).filter(([name, { transactions, statements, messages }]) => {
    const most = allowed[name];
    return !most || transactions > most.transactions || statements > most.statements || messages > most.messages;
  });
  expect(grown).toEqual([]);
});
