import { sentence } from '../words.js';
import { type Chance, money } from './chance.js';
import type { Agent, Capability, Workspace } from './society.js';

/** A receipt as it is sent. */
export type Receipt = Readonly<Record<string, unknown>> & { readonly receipt_id: string; readonly ended_at: string };

/** The place of a task: who did it, when it ended, and what it belongs to. */
export interface Setting {
  readonly workspace: Workspace;
  readonly agent: Agent;
  readonly capability: Capability;
  readonly id: string;
  readonly endMs: number;
  readonly trace?: { readonly trace: string; readonly span: string; readonly parent?: string };
  readonly session?: string;
  /** Members of the extension besides those that every task has. */
  readonly market?: Readonly<Record<string, unknown>>;
}

export function iso(ms: number): string {
  return new Date(ms).toISOString();
}

/** One task with all that a platform reports: times, tools, tokens, cost and the market it was done for. */
export function task(
  random: Chance,
  { workspace, agent, capability, id, endMs, trace, session, market }: Setting,
): Receipt {
  const latency = Math.round(random.around(capability.latencyMs * agent.speed, 0.7)) + 1;
  const status = statusOf(random, agent);
  const calls = random.whole(0, 6);
  const violates = random.happens(0.03);
  const tools = violates ? [...capability.tools, 'shell.exec'] : capability.tools;
  const cost = money(random.around(capability.costUsd * agent.price, 0.5));
  return {
    receipt_id: id,
    agent_handle: agent.handle,
    platform: agent.platform,
    model: agent.model,
    ...(session === undefined ? {} : { session_id: session }),
    ...(trace === undefined ? {} : { trace_id: trace.trace, span_id: trace.span }),
    ...(trace?.parent === undefined ? {} : { parent_span_id: trace.parent }),
    started_at: iso(endMs - latency),
    ended_at: iso(endMs),
    status,
    task_summary: sentence(() => random.share(), 4, 14),
    ...(calls === 0
      ? {}
      : { tool_calls: Array.from({ length: calls }, () => toolCall(random, tools, status, latency)) }),
    tokens: tokens(random),
    ...(random.happens(0.1) ? {} : { cost_usd: random.happens(0.02) ? 0 : cost }),
    ...(random.happens(0.8) ? { declared_scope: scopeOf(capability) } : {}),
    market: {
      schema: 'counterfoil-market/1',
      capability: capability.slug,
      sector: capability.sector,
      vendor: agent.vendor,
      ...(random.happens(0.7) ? { counterparty: random.pick(workspace.customers) } : {}),
      ...(random.happens(0.3)
        ? { segment: random.pick(['enterprise', 'mid-market', 'small business', 'public']) }
        : {}),
      ...market,
    },
    // Platforms send members of their own, which are kept as they are.
    ...(random.happens(0.2) ? { x_region: random.pick(['eu-1', 'us-2', 'ap-1']), x_attempt: random.whole(1, 3) } : {}),
  };
}

function statusOf(random: Chance, { skill }: Agent): string {
  if (random.happens(0.02)) return random.pick(['tool_denied', 'policy_blocked']);
  return random.happens(skill) ? 'success' : random.pick(['error', 'error', 'partial']);
}

function toolCall(random: Chance, tools: readonly string[], status: string, latency: number) {
  const ok = status === 'success' || random.happens(0.6);
  return {
    tool: random.pick(tools),
    ok,
    ...(random.happens(0.5) ? { input_hash: random.hex(64), output_hash: random.hex(64) } : {}),
    latency_ms: Math.round(latency * random.share() * 0.3),
  };
}

function tokens(random: Chance) {
  const input = Math.round(random.around(2500, 1));
  return {
    input,
    output: Math.round(random.around(400, 0.8)),
    ...(random.happens(0.4) ? { cache_read: Math.floor(input * random.share()) } : {}),
  };
}

/** The first parts of the names of the tools, and one tool by its whole name. */
function scopeOf({ tools }: Capability): string[] {
  return [...new Set(tools.slice(0, -1).map((tool) => `${tool.split('.')[0]}.*`)), ...tools.slice(-1)];
}
