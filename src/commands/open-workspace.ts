import type { Actor, Draft } from '../../contracts/entries/entry.js';
import type { Deposit } from '../../contracts/entries/recorded.js';
import { receiptId, type World } from '../base/world.js';
import { accountFor, accountText } from '../domain/account.js';
import type { Caller } from '../domain/caller.js';
import { commit, genesisBytes } from '../ledger/chain.js';
import type { Ledger } from '../ledger/ledger.js';
import type { Command } from './command.js';
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
  const opened = receiptId(world);
  const named = receiptId(world);
  const memberPlace = { receiptId: receiptId(world), salt: world.random(32) };
  const key: Deposit = { receiptId: receiptId(world), salt: world.random(32), texts: { content: keyHash } };
  return {
    actor: system,
    // Whether there are entries already is what matters, and not what this process last saw.
    reads: { head: true, people: { emails: [owner.email] } },
    decide(state, recordedAt, head) {
      if (head.seq > 0) throw new AlreadyOpen('this workspace has entries already');
      const known = personByEmail(state.people, owner.email);
      const account = accountText(accountFor(known, { id: memberId, at: recordedAt, ...owner }));
      const member: Deposit = { ...memberPlace, texts: { content: account } };
      const drafts: Draft[] = [
        { kind: 'workspace.created', receipt_id: opened, body: { name: 'My workspace', plan: 'enterprise' } },
        {
          kind: 'member.added',
          receipt_id: member.receiptId,
          body: { member_id: memberId, role: 'owner', account_commitment: commit(member.salt, account) },
        },
        {
          kind: 'namespace.created',
          receipt_id: named,
          body: { namespace_id: namespaceId, name: 'default', is_default: true, text_config: 'english' },
        },
        {
          kind: 'key.created',
          receipt_id: key.receiptId,
          body: {
            key_id: keyId,
            name: 'bootstrap',
            scopes: [],
            namespace_ids: [namespaceId],
            user_id: null,
            agent_id: null,
            app_id: 'bootstrap',
            secret_commitment: commit(key.salt, keyHash),
          },
        },
      ];
      return { drafts, deposits: [member, key], answer: () => ({ hadPassword: known !== undefined }) };
    },
  };
}

/** Begins a chain as of now, with a tag key of its own. A chain that exists stays as it is. */
export function beginChain(ledger: Pick<Ledger, 'begin'>, world: World, chain: string): Promise<void> {
  return ledger.begin(chain, genesisBytes(chain, world.now().toISOString()), world.random(32));
}
