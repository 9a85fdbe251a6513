import type { World } from '../base/world.js';
import type { Caller } from '../domain/caller.js';
import { type DecisionText, type HandoffText, privateTextOf } from '../domain/decision.js';
import { requireActions } from '../domain/plan.js';
import { type Counts, requireNothingSensitive } from '../domain/redaction/finding.js';
import { admittedTo } from './by-caller.js';
import type { Command } from './command.js';
import type { RedactTexts } from './prepare-tasks.js';
import { type Decided, recording } from './record.js';

interface Named {
  /** An id or a name; without it, the default namespace. */
  readonly namespace?: string | undefined;
  /** Ids and addresses of what it is about. They go into the entry as they are. */
  readonly refs: readonly string[];
}

/** A decision or a handoff as an agent states it. */
export type Stated =
  | (Named & { readonly kind: 'decision'; readonly text: DecisionText })
  | (Named & { readonly kind: 'handoff'; readonly text: HandoffText; readonly toAgent: string });

/** The same with its private text, of which sensitive values are removed already. */
export interface NewDecision {
  readonly stated: Stated;
  readonly privateText: string;
  /** The kinds of values that redaction replaced in it, for workspaces that refuse such values instead. */
  readonly sensitive: Counts;
}

export interface DecisionRecorded {
  readonly receipt_id: string;
  readonly receipt_hash: string;
}

/** Removes sensitive values from the private text. @throws Refusal rate_limited, not_ready */
export async function prepareDecision(
  redactTexts: RedactTexts,
  workspaceId: string,
  stated: Stated,
): Promise<NewDecision> {
  const sent = privateTextOf(stated.text);
  const [{ text, found } = { text: sent, found: {} }] = await redactTexts(workspaceId, [sent]);
  return { stated, privateText: text, sensitive: found };
}

/**
 * Records a decision or a handoff: one entry, with its text in the vault. Refusals come in the order namespace, pause,
 * plan, sensitive values. Rules that ask an owner hold writes of memories and bulk deletes only.
 */
export function recordDecision(
  world: World,
  caller: Caller,
  { stated, privateText, sensitive }: NewDecision,
): Command<DecisionRecorded> {
  const record = recording(world);
  const { namespace: named } = stated;
  return {
    actor: caller.actor,
    reads: { namespaces: named === undefined ? [] : [named], governance: { rules: true } },
    decide(state, recordedAt) {
      const namespace = admittedTo(state, caller, named);
      const { rules, plan, meter } = state.governance;
      requireActions(plan, meter, recordedAt, 1);
      requireNothingSensitive(rules, sensitive);
      return {
        ...record.effects(entryOf(stated, namespace.id, record.commit(privateText)), { content: privateText }),
        answer: ([linked]) => ({ receipt_id: record.receipt, receipt_hash: linked?.hash ?? '' }),
      };
    },
  };
}

function entryOf(stated: Stated, namespace_id: string, content_commitment: string): Decided {
  const body = { namespace_id, refs: stated.refs, content_commitment };
  if (stated.kind === 'decision') return { kind: 'decision', body };
  return { kind: 'handoff', body: { ...body, to_agent: stated.toAgent } };
}
