import { randomUUID } from 'node:crypto';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { Wallet } from 'ethers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { feedbackHealth } from '../../../projections/feedback/files.js';
import type { World } from '../../../src/base/world.js';
import { acceptClock } from '../../../src/maintenance/accept-clock.js';
import { spentOn } from '../../../src/workers/ethereum/rows.js';
import { feedbackProcesses } from '../../erc8004/giving-process.js';
import { linkedIdentity } from '../../erc8004/linked.js';
import { rootOf } from '../../erc8004/root.js';
import { fundedKeys } from '../../ethereum/anvil.js';
import { feedbackKey, startErc8004Chain } from '../../ethereum/erc8004-chain.js';
import { faultyNode } from '../../ethereum/faulty-node.js';
import { addressOf } from '../../ethereum/registries/deploy.js';
import { administration } from '../../http/keys.js';
import { owner } from '../../http/people.js';
import { signedIn } from '../../http/person.js';
import { laterWorld, type Service, startService, testWorld } from '../../http/service.js';
import { taskReceipt } from '../../http/task-receipt.js';
import { preparedStoreAddress, type StoreAddress } from '../../support/new-store.js';
import { repeats } from '../../support/repeats.js';

const day = 86_400_000;
const [, , first, second, third] = fundedKeys;
const client = addressOf(feedbackKey);
const faults = repeats('FEEDBACK_FAULTS');

// Whole days, so that the day of the test does not end in the middle of it.
let ahead = Math.ceil(Date.now() / day) * day - Date.now() + 60_000;
const now = () => new Date(Date.now() + ahead);
const world: World = laterWorld(testWorld, () => ahead);

const chain = await startErc8004Chain();
const { anvil, registries } = chain;
let store: StoreAddress;
let service: Service;
let workspace: { workspaceId: string; namespaceId: string };
let processes: ReturnType<typeof feedbackProcesses>;

const start = (env: Record<string, string>, of: World) =>
  startService(
    {
      ...chain.settings,
      DATA_DIR: store.directory,
      OWNER_EMAIL: owner.email,
      OWNER_PASSWORD: owner.password,
      ETH_CONFIRMATIONS: '2',
      ...env,
    },
    of,
  );
beforeAll(async () => {
  store = await preparedStoreAddress();
  // Its own workers stay away until the last test.
  service = await start({ ROLES: 'http' }, world);
  workspace = await administration(service).first();
  processes = feedbackProcesses(chain, service.app, now, async () => {
    const { json } = await service.call('GET', '/v1/receipts?limit=1');
    return service.call('GET', `/v1/receipts/${json.data[0].id}/proof`);
  });
  await (await signIn()).call('PATCH', '/v1/workspace', { publish_task_receipts: true });
});
afterAll(async () => {
  await service.stop();
  await chain.stop();
  await store.remove();
});

/** Sessions end while the clock moves. */
const signIn = () => signedIn(service, owner);
const today = () => now().toISOString().slice(0, 10);
/** The chain has the time of the service, so that the days of budgets are the same. */
async function nextDay(): Promise<void> {
  ahead += day;
  await anvil.call('evm_setNextBlockTimestamp', [Math.floor(now().getTime() / 1000)]);
  await anvil.mine();
}
async function submit(handle: string, ...statuses: readonly string[]): Promise<void> {
  const receipts = statuses.map((status) => taskReceipt({ agent_handle: handle, status }));
  expect((await service.call('POST', '/v1/receipts', { receipts })).status).toBe(201);
}
/** An identity that is linked to an agent of this key in the registry, by a signature. */
async function linkedAgent(handle: string, key: string) {
  const identity = await linkedIdentity({ service: () => service, first: () => workspace }, handle);
  const agentId = await registries.register(key);
  const text = `counterfoil erc8004 link ${identity.agnId} eip155:${anvil.chainId}:${registries.identityAddress}:${agentId}`;
  const proof = { signature: await new Wallet(key).signMessage(text) };
  const path = `/v1/agents/${identity.linkId}/erc8004`;
  expect((await (await signIn()).call('PUT', path, { agent_id: agentId, proof })).status).toBe(200);
  return { ...identity, agentId, path, handle };
}
type Agent = Awaited<ReturnType<typeof linkedAgent>>;

const fileOf = (agent: Agent, epoch: string) =>
  service.call('GET', `/v1/agent-id/${agent.agnId}/feedback/${epoch}.json`);
const receiptsOf = async ({ handle }: Agent) =>
  (await service.call('GET', `/v1/receipts?agent=${handle}&limit=100`)).json.data;
const emissions = async () =>
  (await (await signIn()).call('GET', '/v1/receipts?kind=erc8004.emitted&limit=100')).json.data;
const given = async ({ agentId }: Agent) =>
  Number(await registries.reputation.getFunction('getLastIndex')(agentId, client));
const sent = () => processes.node.transactionCount(client, 'latest');
const health = () => service.app.database.read((tx) => feedbackHealth(tx, 0));
const eventsOf = async ({ agentId }: Agent) => {
  const { reputation } = registries;
  const filter = reputation.filters.NewFeedback?.(agentId);
  if (filter === undefined) throw new Error('the registry has no such event');
  const found = await reputation.queryFilter(filter, 0);
  return found.map((log) => {
    const { args = [] } = reputation.interface.parseLog(log) ?? {};
    return {
      client: `${args[1]}`.toLowerCase(),
      endpoint: args[8],
      uri: `${args[9]}`,
      hash: `${args[10]}`,
      txHash: log.transactionHash,
    };
  });
};

let one: Agent;
let linkedOn: string;

// @covers ERC-GIVE-READ-BACK ERC-FEED-EMITTED-AT ERC-GIVE-ONE-PROCESS
it('gives feedback that anybody computes from the receipts, by one process', async () => {
  one = await linkedAgent('@one', first);
  linkedOn = today();
  await submit('@one', 'success', 'success', 'error');
  await nextDay();
  await processes.make();
  const [holder, other] = [processes.giver({ owner: randomUUID() }), processes.giver({ owner: randomUUID() })];
  while ((await sent()) === 0) await holder.step();
  for (let times = 0; times < 5; times += 1) {
    expect(await other.step()).toEqual({ more: false, problem: null, isWaiting: false });
    expect(await other.lookBack()).toEqual({ more: false, problem: null, isWaiting: false });
  }
  await processes.giveAll(holder);
  await service.app.database.transaction((tx) => tx.query(`delete from leases where name = 'feedback'`));
  expect([await sent(), await given(one)]).toEqual([1, 1]);

  const receipts = (await receiptsOf(one)).toReversed();
  const [entry, ...others] = await emissions();
  expect(others).toEqual([]);
  for (const { erc8004_emitted_at } of receipts) expect(erc8004_emitted_at).toBe(entry.recorded_at);
  const file = await fileOf(one, linkedOn);
  const inOrder = receipts.toSorted((a: Receipt, b: Receipt) =>
    a.recorded_at === b.recorded_at ? (a.hash < b.hash ? -1 : 1) : a.recorded_at < b.recorded_at ? -1 : 1,
  );
  const root = rootOf(inOrder.map(({ hash }: Receipt) => hash));
  expect(file.json).toMatchObject({ root, counts: { tasks: 3, success: 2, error: 1 }, value: 6667 });
  const back = await registries.reputation.getFunction('readFeedback')(one.agentId, client, 1);
  expect([...back]).toEqual([6667n, 4n, 'successRate', 'counterfoil', false]);
  const events = await eventsOf(one);
  expect(events).toEqual([
    {
      client,
      txHash: expect.any(String),
      endpoint: '',
      uri: `https://first.example/v1/agent-id/${one.agnId}/feedback/${linkedOn}.json`,
      hash: `0x${Buffer.from(keccak_256(Buffer.from(file.text))).toString('hex')}`,
    },
  ]);
  expect(entry.body).toEqual({
    agn_id: one.agnId,
    epoch: linkedOn,
    from_seq: expect.any(Number),
    to_seq: expect.any(Number),
    count: 3,
    root,
    tx_hash: events[0]?.txHash,
  });
}, 120_000);

interface Receipt {
  readonly hash: string;
  readonly recorded_at: string;
}

// @covers ERC-GIVE-ONCE ERC-GIVE-BUDGET
it(`gives each feedback once, although processes end at ${faults} calls of the node, within the budget of a day`, async () => {
  for (let epochs = 0; epochs < faults + 2; epochs += 1) {
    await submit('@one', 'success');
    await nextDay();
  }
  await processes.make();
  const before = { given: await given(one), sent: await sent() };
  /** Gives one feedback. */
  async function giveOne(process: ReturnType<typeof processes.giver>, recorded: number): Promise<void> {
    while ((await emissions()).length === recorded) if (!(await process.step()).more) await anvil.mine();
  }
  const counting = faultyNode(processes.node, 0, 'failed');
  await giveOne(processes.giver({ node: counting.node }), (await emissions()).length);
  let broken = 0;
  for (let run = 0; run < faults; run += 1) {
    const at = 1 + Math.floor((run * counting.calls()) / faults);
    const { node } = faultyNode(processes.node, at, run % 2 === 0 ? 'failed' : 'failed but persisted');
    const recorded = (await emissions()).length;
    await giveOne(processes.giver({ node }), recorded).catch(() => {
      broken += 1;
    });
    await giveOne(processes.giver(), recorded);
    expect((await emissions()).length).toBe(recorded + 1);
  }
  expect(broken).toBeGreaterThan(faults / 2);
  expect([(await given(one)) - before.given, (await sent()) - before.sent]).toEqual([faults + 1, faults + 1]);
  const events = await eventsOf(one);
  expect(new Set(events.map(({ uri }) => uri)).size).toBe(events.length);

  // One more waits. What was paid today is the whole budget.
  const { paid } = await service.app.database.read((tx) => spentOn(tx, 'feedback', now()));
  const frugal = () => processes.giveAll(processes.giver({ maxSpendWeiPerDay: paid }));
  expect((await frugal()).problem).toContain('the budget of this day has 0 left');
  expect((await sent()) - before.sent).toBe(faults + 1);
  await nextDay();
  expect((await frugal()).problem).toBeNull();
  expect([(await sent()) - before.sent, (await health()).waiting]).toEqual([faults + 2, 0]);
}, 600_000);

// @covers ERC-GIVE-SELF ERC-GIVE-KEY
it('sends nothing about its own agents and for files of another key, and gives feedback about agents that were transferred', async () => {
  const two = await linkedAgent('@two', second);
  const three = await linkedAgent('@three', second);
  await registries.change(second, 'approve', client, two.agentId);
  await registries.change(second, 'transferFrom', addressOf(second), client, three.agentId);
  for (const handle of ['@two', '@three']) await submit(handle, 'success');
  const epoch = today();
  await nextDay();
  await processes.make();
  const before = await sent();
  await processes.giveAll();
  const refused = ({ agnId, agentId }: Agent) =>
    `Feedback about ${agnId} for ${epoch} waits: the account ${client} of ERC8004_KEY_FILE is the owner or an operator of agent ${agentId}, and may give no feedback about it. Use a key of its own.`;
  expect((await health()).problems.toSorted()).toEqual([refused(two), refused(three)].toSorted());
  expect(await sent()).toBe(before);

  // A transfer ends the approval. The link stays, and so the feedback is given to the agent of another owner.
  await registries.change(second, 'transferFrom', addressOf(second), addressOf(third), two.agentId);
  ahead += 3_600_000;
  await processes.giveAll();
  expect([await given(two), await sent(), (await health()).problems]).toEqual([1, before + 1, [refused(three)]]);

  await submit('@two', 'error');
  const [key, name] = [fundedKeys[5], today()];
  await nextDay();
  await processes.make();
  await processes.giveAll(processes.giver({ key }));
  const { problems, waiting } = await health();
  expect(waiting).toBe(0);
  expect(problems).toContain(
    `Feedback about ${two.agnId} for ${name} is not given: its file names the account ${client}, and ERC8004_KEY_FILE is of ${addressOf(key)} now. Later epochs are given by the new account.`,
  );
  expect([await given(two), await sent()]).toEqual([1, before + 1]);
}, 120_000);

// @covers ERC-GIVE-OPT-OUT ERC-FEED-SERVED ERC-GIVE-NOTICE
it('ends with the link, while files stay as they are, and continues in a service that starts again', async () => {
  const before = await given(one);
  await submit('@one', 'success');
  const epoch = today();
  await nextDay();
  await processes.make();
  const file = await fileOf(one, epoch);
  const older = await fileOf(one, linkedOn);
  expect([file.status, older.status]).toEqual([200, 200]);
  expect((await (await signIn()).call('DELETE', one.path)).status).toBe(200);
  await processes.giveAll();
  expect([await given(one), (await health()).waiting]).toEqual([before, 0]);
  await submit('@one', 'success');

  const four = await linkedAgent('@four', first);
  await submit('@four', 'success', 'policy_blocked');
  const last = today();
  await nextDay();
  await service.stop();
  // No worker rests for longer than a tenth of a second.
  const restless: World = { ...world, sleep: (ms, signal) => world.sleep(Math.min(ms, 100), signal) };
  const env = { BASE_URL: 'https://second.example', LOG_LEVEL: 'warn', ETH_ANCHOR_INTERVAL: '336h' };
  service = await start(env, restless);
  // It was started more than a day after its newest entry.
  await acceptClock(service.app.database, restless)([], () => undefined);
  while ((await service.call('GET', '/readyz')).status !== 200) await world.sleep(50);
  expect(service.logged.join('')).toContain('stays public permanently');
  while ((await emissions())[0]?.body.agn_id !== four.agnId) await anvil.mine();
  expect((await eventsOf(four)).map(({ uri }) => uri)).toEqual([
    `https://second.example/v1/agent-id/${four.agnId}/feedback/${last}.json`,
  ]);
  const back = await registries.reputation.getFunction('readFeedback')(four.agentId, client, 1);
  expect(back[0]).toBe(5000n);
  expect([await given(one), (await fileOf(one, last)).status]).toEqual([before, 404]);
  expect([(await fileOf(one, epoch)).text, (await fileOf(one, linkedOn)).text]).toEqual([file.text, older.text]);
  const { text } = await service.call('GET', '/metrics');
  expect(text).toContain('counterfoil_engine_up{engine="erc8004"} 1');
  expect(text).toContain('counterfoil_follower_lag_entries{follower="feedback"} 0');
  expect(text).toMatch(/counterfoil_ethereum_balance_ether\{purpose="feedback"\} 9999\./);
}, 120_000);
