import { requiredNamespaces } from '../../contracts/entries/catalogue.js';
import { Refusal } from '../../contracts/errors.js';
import { type Access, type Caller, reaches, requireAccess } from '../domain/caller.js';
import { standingOf } from '../domain/standing.js';
import type { Wants } from '../domain/state.js';
import type { Command, Run } from './run.js';

/**
 * Runs commands in the name of a caller, whose rights are looked at again with the state that each is decided on: nothing
 * stands behind a revocation in the chain that the revoked had asked for, however long the request was under way.
 */
export function runBy(run: Run, caller: Caller, access: Access): Run {
  return (workspaceId, command) => run(workspaceId, byCaller(caller, access, command));
}

function byCaller<A>(caller: Caller, access: Access, command: Command<A>): Command<A> {
  return {
    wants: withStanding(command.wants, caller),
    decide(state, recordedAt, head) {
      const standing = standingOf(caller, state);
      requireAccess(standing, access);
      const decision = command.decide(state, recordedAt, head);
      // The command looked at what the caller reached when the request came in.
      const touched = caller.role === null ? decision.drafts.flatMap(requiredNamespaces) : [];
      if (!touched.every((id) => reaches(standing, id))) throw new Refusal('namespace_out_of_scope');
      return decision;
    },
  };
}

function withStanding(wants: Wants, { actor, agent }: Caller): Wants {
  const id = actor.id === null ? [] : [actor.id];
  return {
    ...wants,
    keyIds: actor.type === 'key' ? [...wants.keyIds, ...id] : wants.keyIds,
    memberIds: actor.type === 'person' ? [...wants.memberIds, ...id] : wants.memberIds,
    agents: agent === null ? wants.agents : [...wants.agents, agent],
  };
}
