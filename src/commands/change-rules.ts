import type { AskRule, WriteRules } from '../../contracts/entries/entry.js';
import { Refusal } from '../../contracts/errors.js';
import type { World } from '../base/world.js';
import type { Caller } from '../domain/caller.js';
import type { Command } from './command.js';
import { nothing, recording } from './record.js';
import { findNamespace } from './state/namespaces.js';
import type { WorkspaceState } from './state/state.js';

/** The rules of a request. Where `ask_owner` is left out, the workspace keeps the rules that hold writes. */
type NewRules = Pick<WriteRules, 'pause_all' | 'sensitive'> & { readonly ask_owner?: readonly AskRule[] | undefined };

/**
 * Sets what the workspace asks of writes. @returns the receipt's id, null when nothing has changed
 * @throws Refusal admin_required, namespace_not_found, namespace_deleted
 */
export function changeRules(world: World, caller: Caller, rules: NewRules): Command<string | null> {
  const record = recording(world);
  const asked = rules.ask_owner?.map(inOrder);
  return {
    actor: caller.actor,
    reads: {
      governance: { rules: true },
      namespaces: asked?.flatMap(({ namespace_id = [] }) => namespace_id) ?? [],
    },
    decide(state) {
      const { rules: before } = state.governance;
      if (rules.pause_all !== before.pause_all && caller.role !== 'owner') {
        throw new Refusal('admin_required', 'Only the owner pauses and resumes every agent.');
      }
      for (const rule of asked ?? []) requireNamespace(state, rule);
      const { pause_all, sensitive } = rules;
      const body = { pause_all, sensitive, ask_owner: asked ?? before.ask_owner };
      if (JSON.stringify(body) === JSON.stringify(before)) {
        return nothing(null);
      }
      return record.entry({ kind: 'rules.changed', body }, record.receipt);
    },
  };
}

/** Its members in the order of canonical JSON, and only those that it names, so that equal rules are equal texts. */
function inOrder({ namespace_id, agent_id, app_id, source, min_bytes }: AskRule): AskRule {
  return {
    ...(agent_id === undefined ? {} : { agent_id }),
    ...(app_id === undefined ? {} : { app_id }),
    ...(min_bytes === undefined ? {} : { min_bytes }),
    ...(namespace_id === undefined ? {} : { namespace_id: namespace_id.toLowerCase() }),
    ...(source === undefined ? {} : { source }),
  };
}

/** A rule about a namespace that there is not would hold nothing, and no one would notice. */
function requireNamespace(state: WorkspaceState, { namespace_id }: AskRule): void {
  if (namespace_id === undefined) return;
  const namespace = findNamespace(state.namespaces, namespace_id);
  if (!namespace) throw new Refusal('namespace_not_found');
  if (namespace.deleted) throw new Refusal('namespace_deleted');
}
