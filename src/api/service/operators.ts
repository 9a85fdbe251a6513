import { peopleWith, workspacesOf } from '../../../projections/account/people.js';
import { firstWorkspace } from '../../../projections/account/queries.js';
import type { Transaction } from '../../database/database.js';
import type { Caller } from '../../domain/caller.js';
import { isOperator, isReserved, type NamedOperators } from '../../domain/operators.js';

/** Finds out who runs the service. It is looked up at each call, because a right that was taken away ends at once. */
export interface Operators {
  /** @param memberId a membership of the person; null for a caller that is no person */
  includes(tx: Transaction, memberId: string | null): Promise<boolean>;
  /** See `isReserved`. */
  reserve(tx: Transaction, email: string, caller: Caller): Promise<boolean>;
}

export function createOperators(named: NamedOperators): Operators {
  async function includes(tx: Transaction, memberId: string | null): Promise<boolean> {
    if (memberId === null) return false;
    const [person] = await peopleWith(tx, { memberIds: [memberId] });
    if (!person) return false;
    const [first, all] = await Promise.all([firstWorkspace(tx), workspacesOf(tx, person.id)]);
    return isOperator(named, {
      emailKeys: person.memberships.map(({ emailKey }) => emailKey),
      ownsFirst: all.some(({ id, role }) => id === first && role === 'owner'),
    });
  }
  return {
    includes,
    async reserve(tx, email, { role, actor, workspaceId }) {
      return isReserved(named, email, {
        isInFirst: workspaceId === (await firstWorkspace(tx)),
        isOperator: await includes(tx, role === null ? null : actor.id),
      });
    },
  };
}
