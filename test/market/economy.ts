import { type Market, marketSchema } from '../../contracts/market.js';
import { type NamedTask, namedTask } from '../../contracts/task-receipt.js';
import type { TaskEntry } from '../../src/domain/market/fact.js';
import { isRecordedBefore, type PublicReceipt, publicReceiptOf } from '../../src/domain/market/state/receipt.js';
import { createPublicTags } from '../../src/domain/public-tags.js';
import { publicationOf } from '../../src/domain/task/publication.js';
import { keyOfStated, statementsOf, transitionFault } from '../../src/domain/task/statements.js';
import { canonicalBytes, entryHash } from '../../src/ledger/chain.js';
import { type Random, random } from './random.js';
import { members, names, type Scene } from './stated.js';

export interface EconomyOptions {
  readonly seed: number;
  readonly receipts: number;
  /** Over how many days they are recorded, apart from standstills. */
  readonly days?: number;
  readonly workspaces?: number;
  /** The moment at which it begins. */
  readonly fromMs?: number;
}

/** An entry as it is in a chain, with its hash. */
export interface TaskLink {
  readonly entry: TaskEntry;
  readonly hash: string;
}

/** Task receipts of several workspaces, all in recorded order. Those that are not public have entries only. */
export interface Economy {
  readonly entries: readonly TaskLink[];
  readonly receipts: readonly PublicReceipt[];
  readonly fromMs: number;
  readonly untilMs: number;
}

const startMs = Date.UTC(2026, 5, 1, 22, 30);
const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

export const installationKey = new Uint8Array(32).fill(7);
export const economyTags = createPublicTags(installationKey);

const identities = ['a', 'b', 'c'].map((letter) => `agn_${letter.repeat(32)}`);
const handles = ['@ann', '@bob', '@cyd', '@dee'];

/** Makes the same receipts from the same options: every member of `market`, late receipts, standstills, linked handles. */
export function economy(options: EconomyOptions): Economy {
  const { seed, receipts: count, days = 50, workspaces: most = 4, fromMs = startMs } = options;
  const values = random(seed);
  const workspaces = Array.from({ length: most }, (_, at) => openWorkspace(at));
  const entries: TaskLink[] = [];
  let now = fromMs;
  for (let made = 0; made < count; made += 1) {
    now += stepOf(values, (days * day) / count);
    entries.push(values.pick(workspaces).record(values, now));
  }
  const place = ({ entry, hash }: TaskLink) => ({ recorded_ms: Date.parse(entry.recorded_at), hash });
  entries.sort((a, b) => (isRecordedBefore(place(a), place(b)) ? -1 : 1));
  const receipts = entries.flatMap(({ entry, hash }) => publicReceiptOf(entry, hash, economyTags) ?? []);
  return { entries, receipts, fromMs, untilMs: now };
}

/** Mostly a random time, sometimes none, so that two are recorded at the same moment, and rarely a standstill. */
function stepOf({ chance, whole }: Random, mean: number): number {
  if (chance(0.1)) return 0;
  return chance(0.003) ? whole(3 * day) : whole(2 * mean);
}

/** A chain of task receipts. Its workspace links handles to identities and unlinks them, and changes what it publishes. */
function openWorkspace(at: number) {
  const id = `0199a5c7-0000-7000-8000-00000000000${at}`;
  const tag = economyTags.workspace(id);
  const linked = new Map<string, string>();
  const stated = new Map<string, ReturnType<typeof statementsOf>[number]>();
  let [seq, previous, isPublic] = [0, '0'.repeat(64), true];

  const change = ({ chance, pick }: Random) => {
    if (chance(isPublic ? 0.01 : 0.08)) isPublic = !isPublic;
    if (chance(0.02)) linked.set(pick(handles), pick(identities));
    if (chance(0.02)) linked.delete(pick(handles));
  };

  /** The members without statements that the service would refuse after the earlier ones of this workspace. */
  const allowed = (market: Market): Market => {
    const refused = statementsOf(market).filter((one) => {
      const isRefused = transitionFault(stated.get(keyOfStated(one)), one) !== null;
      if (!isRefused) stated.set(keyOfStated(one), one);
      return isRefused;
    });
    const types = new Set<string>(refused.map(({ type }) => type));
    return marketOf(Object.entries(market).filter(([name]) => !types.has(name)));
  };

  return {
    record(values: Random, now: number): TaskLink {
      change(values);
      seq += 1;
      const task = anyTask(values, now, `${id}-${seq}`, allowed);
      const agentId = linked.get(task.agent_handle);
      const identity = agentId === undefined ? undefined : { agentId, vendor: values.pick([null, 'Acme']) };
      const entry: TaskEntry = {
        v: 1,
        workspace_id: id,
        seq,
        receipt_id: `rcp_${seq.toString(16).padStart(32, '0')}`,
        kind: 'task',
        recorded_at: new Date(now).toISOString(),
        actor: { type: 'key', id: null, user_id: null, agent_id: null, app_id: null, run_id: null },
        body: {
          task,
          scope_violations: task.declared_scope ? (task.tool_calls ?? []).map(({ tool }) => tool) : null,
          content_commitment: null,
          sent_digest: '0'.repeat(64),
          attestation_checks: [],
          publication: isPublic ? publicationOf(tag, task, identity) : null,
        },
        prev_hash: previous,
      };
      previous = entryHash(canonicalBytes(entry));
      return { entry, hash: previous };
    },
  };
}

const marketOf = (found: readonly (readonly [string, unknown])[]): Market =>
  namedTask
    .unwrap()
    .shape.market.unwrap()
    .parse({ schema: marketSchema, ...Object.fromEntries(found) });

function anyTask(values: Random, now: number, id: string, allowed: (market: Market) => Market): NamedTask {
  const { pick, chance, whole } = values;
  const endedMs = endOf(values, now);
  const scene: Scene = { random: values, endedMs, parties: names, respondents: [...handles, ...identities, 'Acme'] };
  const market = chance(0.9) ? allowed(marketOf(anyMembers(scene))) : undefined;
  return namedTask.parse({
    receipt_id: id,
    agent_handle: pick(handles),
    platform: pick(['otel', 'sdk']),
    started_at: new Date(endedMs - whole(10 ** (1 + whole(6)))).toISOString(),
    ended_at: `${new Date(endedMs).toISOString().slice(0, -1)}${pick(['', '9'])}Z`,
    status: pick(['success', 'success', 'success', 'success', 'partial', 'error', 'tool_denied', 'policy_blocked']),
    ...(chance(0.85) ? { cost_usd: costOf(values) } : {}),
    ...(chance(0.3) ? { declared_scope: [], tool_calls: chance(0.3) ? [{ tool: 'shell', ok: true }] : [] } : {}),
    ...(market === undefined ? {} : { market }),
  });
}

/** Costs that round to an even digit, 0, one that counts as not stated, and few others, so that prices are equal sometimes. */
const costOf = ({ pick, whole }: Random): number => pick([0, 0.1, 0.25, 0.0000005, 0.0000015, 2e6, whole(1e8) / 1e8]);

/** Mostly shortly before it was recorded; sometimes days before, after the clock, or exactly on a border of windows. */
function endOf({ chance, whole, pick }: Random, now: number): number {
  if (chance(0.1)) return now - whole(12 * day);
  if (chance(0.01)) return now - whole(300 * day);
  if (chance(0.03)) return now + whole(5 * minute);
  const endedMs = now - whole(hour);
  return chance(0.3) ? endedMs - (endedMs % pick([minute, hour, day])) : endedMs;
}

/** How often a receipt has each member. */
const probabilities: readonly (readonly [keyof typeof members, number])[] = [
  ['capability', 0.9],
  ['sector', 0.1],
  ['vendor', 0.6],
  ['counterparty', 0.4],
  ['workflow', 0.4],
  ['segment', 0.2],
  ['outcome', 0.2],
  ['settlement', 0.15],
  ['rfq', 0.06],
  ['quote', 0.08],
  ['fill', 0.1],
  ['auction', 0.04],
  ['forward', 0.04],
  ['sla', 0.03],
  ['dispute', 0.08],
];

const anyMembers = (scene: Scene) =>
  probabilities.flatMap(([name, probability]) =>
    scene.random.chance(probability) ? [[name, members[name](scene)] as const] : [],
  );
