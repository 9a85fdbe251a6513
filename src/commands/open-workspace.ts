import type { Actor } from '../../contracts/entries/entry.js';
import type { World } from '../base/world.js';
import { accountFor, accountText } from '../domain/account.js';
import type { Caller } from '../domain/caller.js';
import { genesisBytes } from '../ledger/chain.js';
import type { Ledger } from '../ledger/ledger.js';
import type { Command } from './command.js';
import { type Decided, recording, together } from './record.js';
import { personByEmail } from './state/people.js';

interface Owner {
  readonly email: string;
  /** Argon2id in its encoded form. An owner who is a member of another workspace keeps the password from there. */
  readonly passwordHash: string;
}

interface Opened {
  /** Whether the owner signs in with a password from before. */
  readonly hadPassword: boolean;
}

/** The operator of the service. */
export const system: Actor = { type: 'system', id: null, user_id: null, agent_id: null, app_id: null, run_id: null };

/** The operator of the service as the caller of a command. */
export function operatorOf(workspaceId: string): Caller {
  return { workspaceId, actor: system, scopes: [], namespaceIds: [], agent: null, role: null, memoryApi: true };
}

/** Another process has made the workspace since. */
export class AlreadyOpen extends Error {
  override name = 'AlreadyOpen';
}

/** The first entries of a workspace: itself, its owner, the namespace `default` and one key that is not narrowed. @throws AlreadyOpen */
export function openWorkspace(world: World, owner: Owner, keyHash: string): Command<Opened> {
  const namespaceId = world.id();
  const memberId = world.id();
  const keyId = world.id();
  const [created, member, namespace, key] = [recording(world), recording(world), recording(world), recording(world)];
  return {
    actor: system,
    // Whether there are entries already is what matters, and not what this process last saw.
    reads: { head: true, people: { emails: [owner.email] } },
    decide(state, recordedAt, head) {
      if (head.seq > 0) throw new AlreadyOpen('this workspace has entries already');
      const known = personByEmail(state.people, owner.email);
      const account = accountText(accountFor(known, { id: memberId, at: recordedAt, ...owner }));
      const effects = [
        created.effects({ kind: 'workspace.created', body: { name: 'My workspace', plan: 'enterprise' } }),
        member.effects(
          {
            kind: 'member.added',
            body: { member_id: memberId, role: 'owner', account_commitment: member.commit(account) },
          },
          { content: account },
        ),
        namespace.effects({
          kind: 'namespace.created',
          body: {
            namespace_id: namespaceId,
            name: 'default',
            is_default: true,
            text_config: 'english',
            receipts: 'by scope',
          },
        }),
        key.effects(firstKey(keyId, namespaceId, key.commit(keyHash)), { content: keyHash }),
      ];
      return { ...together(effects), answer: () => ({ hadPassword: known !== undefined }) };
    },
  };
}

/** A key that is not narrowed. */
const firstKey = (key_id: string, namespaceId: string, secret_commitment: string): Decided => ({
  kind: 'key.created',
  body: {
    key_id,
    name: 'bootstrap',
    scopes: [],
    namespace_ids: [namespaceId],
    user_id: null,
    agent_id: null,
    app_id: 'bootstrap',
    secret_commitment,
    receipts: 'all',
  },
});

/** Begins a chain as of now, with a tag key of its own. A chain that exists stays as it is. */
export function beginChain(ledger: Pick<Ledger, 'begin'>, world: World, chain: string): Promise<void> {
  return ledger.begin(chain, genesisBytes(chain, world.now().toISOString()), world.random(32));
}
