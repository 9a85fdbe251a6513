import { keccak_256 } from '@noble/hashes/sha3.js';
import pino from 'pino';
import { describe, expect, it } from 'vitest';
import { feedbackFor } from '../../../../projections/feedback/files.js';
import { realWorld } from '../../../../src/base/world.js';
import { recordEmission } from '../../../../src/commands/erc8004.js';
import { createRun } from '../../../../src/commands/run.js';
import { stateLoader } from '../../../../src/commands/state/state.js';
import type { LinkedAgent } from '../../../../src/workers/erc8004/due.js';
import { makingFeedback } from '../../../../src/workers/erc8004/making.js';
import { createLease } from '../../../../src/workers/lease.js';
import { linkedIdentity } from '../../../erc8004/linked.js';
import { ask } from '../../../http/ask.js';
import { owner, usePeople } from '../../../http/people.js';
import { signedIn } from '../../../http/person.js';
import { taskReceipt } from '../../../http/task-receipt.js';
import { random } from '../../../market/random.js';

const day = 86_400_000;
const never = new AbortController().signal;
const statuses = ['success', 'success', 'partial', 'error', 'tool_denied', 'policy_blocked'];
const chance = random(8004);

describe('files of feedback', () => {
  // Whole days, so that the day of the test does not end in the middle of it.
  const start = Math.ceil(Date.now() / day) * day - Date.now();
  const people = usePeople();
  const submit = async (handle: string, count: number) => {
    const receipts = Array.from({ length: count }, () =>
      taskReceipt({ agent_handle: handle, status: chance.pick(statuses) }),
    );
    const { status } = await people.service().call('POST', '/v1/receipts', { receipts });
    expect(status).toBe(201);
  };
  const receiptsOf = async (handle: string) => {
    const found = [];
    for (let cursor = ''; ; ) {
      const { json } = await people.service().call('GET', `/v1/receipts?agent=${handle}&limit=100${cursor}`);
      found.push(...json.data);
      if (json.next_cursor === null) return found.reverse();
      cursor = `&cursor=${json.next_cursor}`;
    }
  };
  /** A process that makes files, until nothing is due any more. */
  const makeAll = async (agents: readonly LinkedAgent[], epochMs = day) => {
    const { database } = people.service().app;
    const lease = createLease(database, 'feedback of the test', realWorld.nonce(), 60_000);
    const newest = (await receiptsOf('@first')).at(-1);
    const job = makingFeedback({
      database,
      log: pino({ level: 'silent' }),
      world: { now: () => now(), doubt: () => null },
      lease,
      epochMs,
      client: `0x${'c'.repeat(40)}`,
      linked: async (_, after) => agents.filter(({ agnId }) => agnId > after),
      settle: async () => true,
      checkpoint: () => people.service().call('GET', `/v1/receipts/${newest.id}/proof`),
    });
    while (await job.work(never));
    await lease.drop();
  };
  /** Sessions end while the clock moves. */
  const signIn = () => signedIn(people.service(), owner);
  let ahead = start;
  const now = () => new Date(Date.now() + ahead);
  const move = (ms: number) => {
    ahead += ms;
    people.ahead(ahead);
  };
  const fileOf = (agnId: string, epoch: string, headers: Record<string, string> = {}) =>
    ask(people.service().app.server.listeningOrigin, 'GET', `/v1/agent-id/${agnId}/feedback/${epoch}.json`, {
      headers,
    });

  // @covers ERC-FEED-COUNTED-ONCE ERC-FEED-SERVED ERC-FEED-EMITTED ERC-FEED-EMITTED-AT ERC-FEED-EMPTY ERR-feedback_not_found
  it('count each public receipt in exactly one epoch, in any batches it came, and are served as they were made', async () => {
    move(60_000);
    await (await signIn()).call('PATCH', '/v1/workspace', { publish_task_receipts: true });
    await submit('@first', 2);
    const { agnId, linkId } = await linkedIdentity(people, '@first');
    const agent: LinkedAgent = {
      agnId,
      chainId: 31_337,
      registry: `0x${'a'.repeat(40)}`,
      agentId: '7',
      linkedAt: now().toISOString(),
    };
    // Nothing is due for an agent without receipts, nor before the end of an epoch.
    await makeAll([agent]);
    const epochs: string[] = [];
    for (const batches of [[3, 1], [], [4], [1, 1, 5]]) {
      epochs.push(now().toISOString().slice(0, 10));
      for (const count of batches) await submit('@first', count);
      // Receipts of other handles are of no account.
      await submit('@other', 1);
      await makeAll([agent]);
      move(day);
      if (chance.chance(0.5)) await makeAll([agent]);
    }
    await makeAll([agent]);
    const [linkedDay = '', emptyDay = '', ...others] = epochs;
    // What was recorded before the proof does not count.
    const counted = (await receiptsOf('@first')).slice(2);
    const files = new Map<string, Awaited<ReturnType<typeof fileOf>>>();
    for (const epoch of [linkedDay, ...others]) {
      const answer = await fileOf(agnId, epoch);
      const of = counted.filter(({ recorded_at }) => recorded_at.startsWith(epoch));
      expect([answer.status, answer.json.counts.tasks]).toEqual([200, of.length]);
      expect(answer.json.counts.success).toBe(of.filter(({ task }) => task.status === 'success').length);
      files.set(epoch, answer);
    }
    expect([...files.values()].reduce((sum, { json }) => sum + json.counts.tasks, 0)).toBe(counted.length);
    for (const missing of [emptyDay, '2020-01-01', 'x', '2026-02-30T000000Z']) {
      const { status, json } = await fileOf(agnId, missing);
      expect([status, json.error.code]).toEqual([404, 'feedback_not_found']);
    }
    expect((await fileOf('agn_x', linkedDay)).status).toBe(404);

    // The hash of the stored feedback is that of the bytes that are served.
    const { database, ledger } = people.service().app;
    const stored = await database.read((tx) => feedbackFor(tx, agnId, linkedDay));
    if (stored === null) throw new Error('there is no feedback');
    const served = files.get(linkedDay)?.text ?? '';
    expect(stored.hash).toBe(`0x${Buffer.from(keccak_256(Buffer.from(served))).toString('hex')}`);
    const asked = await fileOf(agnId, linkedDay, { 'accept-encoding': 'br, gzip', origin: 'https://else.example' });
    const header = (name: string) => asked.headers.get(name);
    expect(header('cache-control')).toBe('public, max-age=31536000, immutable, no-transform');
    expect([header('access-control-allow-origin'), header('content-encoding')]).toEqual(['*', null]);
    expect((await fileOf(agnId, linkedDay, { 'if-none-match': header('etag') ?? '' })).status).toBe(304);

    // The entry, once, and what receipts show of it.
    const run = createRun(ledger, stateLoader(database, realWorld.now), { ...realWorld, now });
    const [span] = stored.spans;
    if (span === undefined) throw new Error('there is no workspace');
    expect(span.workspaceId).toBe(people.first().workspaceId);
    const emission = {
      agn_id: agnId,
      epoch: linkedDay,
      from_seq: span.fromSeq,
      to_seq: span.toSeq,
      count: span.count,
      root: stored.root,
      tx_hash: `0x${'8'.repeat(64)}`,
    };
    for (let times = 0; times < 2; times += 1) await run(span.workspaceId, recordEmission(realWorld, emission));
    const { json: entries } = await (await signIn()).call('GET', '/v1/receipts?kind=erc8004.emitted');
    expect(entries.data.map(({ body }: { body: object }) => body)).toEqual([emission]);
    for (const receipt of await receiptsOf('@first')) {
      const isCounted = counted.some(({ id }) => id === receipt.id) && receipt.recorded_at.startsWith(linkedDay);
      expect(receipt.erc8004_emitted_at).toBe(isCounted ? entries.data[0].recorded_at : null);
    }
    for (const receipt of await receiptsOf('@other')) expect(receipt.erc8004_emitted_at).toBeNull();

    // After another length of epochs, the end of the link, and of publication: what was served is served.
    await submit('@first', 3);
    move(day);
    await makeAll([agent], 2 * day);
    move(2 * day);
    await makeAll([agent], 2 * day);
    await (await signIn()).call('DELETE', `/v1/agents/${linkId}`);
    await (await signIn()).call('PATCH', '/v1/workspace', { publish_task_receipts: false });
    for (const [epoch, { text }] of files) expect((await fileOf(agnId, epoch)).text).toBe(text);
    const sums = await database.read((tx) =>
      tx.query<{ bytes: Uint8Array }>('select bytes from feedback_files where agn_id = $1', [agnId]),
    );
    const tasks = sums.map(({ bytes }) => JSON.parse(Buffer.from(bytes).toString('utf8')).counts.tasks);
    expect(tasks.reduce((sum, count) => sum + count, 0)).toBe(counted.length + 3);
  });
});
