import { hashSync } from '@node-rs/argon2';
import type { Draft, Plan, Role } from '../../contracts/entries/entry.js';
import { agentsNamed } from '../../projections/agents/queries.js';
import { realWorld, receiptId } from '../../src/base/world.js';
import { createAgentKey } from '../../src/commands/agent-keys.js';
import { linkAgent } from '../../src/commands/agents.js';
import { createGrant, type NewGrant } from '../../src/commands/grants.js';
import { beginChain, openWorkspace } from '../../src/commands/open-workspace.js';
import { recordDecision, type Stated } from '../../src/commands/record-decision.js';
import { createRun } from '../../src/commands/run.js';
import { stateLoader } from '../../src/commands/state/state.js';
import type { Caller, MemoryScope } from '../../src/domain/caller.js';
import { base62Text, keyHash, newAgentKey } from '../../src/domain/secrets.js';
import { commit } from '../../src/ledger/chain.js';
import { prepared } from '../support/decisions.js';
import { type Service, testWorld } from './service.js';

const system = { type: 'system', id: null, user_id: null, agent_id: null, app_id: null, run_id: null } as const;

interface NamedRights {
  readonly scopes?: readonly MemoryScope[];
  /** The default namespace when undefined. */
  readonly namespaceIds?: readonly string[];
}

/** Makes what tests need many of, and what has no route, by the entries that the service would write. */
export function administration({ app }: Service) {
  const { ledger } = app;
  const run = createRun(ledger, stateLoader(app.database, realWorld.now), realWorld);
  let made = 0;
  const secret = () => {
    made += 1;
    return `ak_${String(made).padStart(40, 'k')}`;
  };
  const append = (
    workspaceId: string,
    draft: (receipt_id: string) => Draft,
    sealed?: { salt: Uint8Array; text: string },
  ) => {
    const receipt = receiptId(realWorld);
    return run(workspaceId, {
      actor: system,
      reads: {},
      decide: () => ({
        drafts: [draft(receipt)],
        deposits: sealed ? [{ receiptId: receipt, salt: sealed.salt, texts: { content: sealed.text } }] : [],
        answer: () => undefined,
      }),
    });
  };

  return {
    /** The workspace that the service made when it started, and its default namespace. */
    async first(): Promise<{ workspaceId: string; namespaceId: string }> {
      const [row] = await app.database.read((tx) =>
        tx.query<{ workspaceId: string; namespaceId: string }>(
          `select workspace_id::text as "workspaceId", id::text as "namespaceId" from namespaces order by id limit 1`,
        ),
      );
      if (!row) throw new Error('the service has no workspace');
      return row;
    },
    /** Another workspace with a key of its own that reaches all of it. */
    async workspace(): Promise<{ workspaceId: string; key: string }> {
      const workspaceId = realWorld.id();
      await beginChain(ledger, realWorld, workspaceId);
      const key = secret();
      await run(
        workspaceId,
        openWorkspace(realWorld, { email: `${workspaceId}@example.org`, passwordHash: '' }, keyHash(key)),
      );
      return { workspaceId, key };
    },
    /** Everything that anyone who runs the service gives a workspace. */
    async provision(workspaceId: string, plan: Plan, memory_api = true): Promise<void> {
      await append(workspaceId, (receipt_id) => ({
        receipt_id,
        kind: 'workspace.provisioned',
        body: { plan, memory_api },
      }));
    },
    /** This number of receipts that are actions and change nothing else. */
    async act(workspaceId: string, count: number): Promise<void> {
      for (let done = 0; done < count; done += 1000) {
        const receipts = Array.from({ length: Math.min(1000, count - done) }, () => receiptId(realWorld));
        await run(workspaceId, {
          actor: system,
          reads: {},
          decide: () => ({
            drafts: receipts.map((receipt_id) => ({
              kind: 'approval',
              receipt_id,
              body: { approval_id: 'apr_0', decision: 'approved', requested_receipt_id: 'rcp_0', namespace_ids: [] },
            })),
            deposits: [],
            answer: () => undefined,
          }),
        });
      }
    },
    /** A person who can sign in, added as an earlier version did it: one workspace knows nothing of the rest. */
    async member(
      workspaceId: string,
      role: Role,
      given?: { email: string; password: string },
    ): Promise<{ email: string; password: string }> {
      made += 1;
      const email = given?.email ?? `${role}-${made}@example.org`;
      const password = given?.password ?? `password of ${email}`;
      const salt = realWorld.random(32);
      // Earlier versions gave all hashes of one address the same salt.
      const of = Buffer.from(email.padEnd(16).slice(0, 16));
      const password_hash = hashSync(password, { algorithm: 2, salt: of, ...testWorld.passwordCosts });
      const text = JSON.stringify({ email, password_hash });
      const body = { member_id: realWorld.id(), role, account_commitment: commit(salt, text) };
      await append(workspaceId, (receipt_id) => ({ receipt_id, kind: 'member.added', body }), { salt, text });
      return { email, password };
    },
    /** A key of an agent, which is linked for it where it is not linked yet. */
    async agentKey(workspaceId: string, agent_id: string, { scopes, namespaceIds }: NamedRights): Promise<string> {
      const secret = newAgentKey();
      const caller: Caller = {
        workspaceId,
        actor: system,
        scopes: [],
        namespaceIds: [],
        agent: null,
        role: null,
        memoryApi: true,
      };
      const [linked] = await app.database.read((tx) => agentsNamed(tx, workspaceId, [agent_id]));
      const link =
        linked?.id ?? (await run(workspaceId, linkAgent(realWorld, caller, { agent_id, name: null }, secret))).id;
      const key = {
        name: 'test key',
        scopes: scopes ?? ['memory.read', 'memory.write'],
        namespaces: namespaceIds,
      } as const;
      await run(workspaceId, createAgentKey(realWorld, caller, link, key, keyHash(secret)));
      return secret;
    },
    /** A grant of the person with this membership, as the page for consent makes it. @returns its id */
    async grant(workspaceId: string, memberId: string, given: Partial<NewGrant> & Pick<NewGrant, 'namespaceIds'>) {
      const provenance = { user_id: memberId, agent_id: null, app_id: null, run_id: null };
      const caller = {
        workspaceId,
        actor: { type: 'person', id: memberId, ...provenance },
        scopes: [],
        namespaceIds: given.namespaceIds,
        agent: null,
        role: null,
        memoryApi: true,
      } as const;
      const client = { clientId: 'client-1', clientName: 'Desk', redirectHost: 'desk.example.org', agentId: null };
      const scopes = ['mcp:tools', 'memory.read', 'memory.write'] as const;
      const grant = { ...client, grantId: base62Text(43), scopes, ...given };
      return (await run(workspaceId, createGrant(realWorld, caller, grant))).grant_id;
    },
    async namespace(workspaceId: string, name: string): Promise<string> {
      const id = realWorld.id();
      const body = { namespace_id: id, name, is_default: false, text_config: 'simple' };
      await append(workspaceId, (receipt_id) => ({ receipt_id, kind: 'namespace.created', body }));
      return id;
    },
    /** Records a decision or a handoff in the name of an agent, as its text was sent. */
    async decision(workspaceId: string, namespaceId: string, stated: Stated, agentId = 'an agent') {
      const actor = { ...system, type: 'agent_key', agent_id: agentId, via: 'mcp' } as const;
      const own = { actor, role: null, agent: null, scopes: [], memoryApi: true };
      const caller = { ...own, workspaceId, namespaceIds: [namespaceId] };
      const named = { ...stated, namespace: namespaceId };
      return run(workspaceId, recordDecision(realWorld, caller, prepared(named)));
    },
    async key(
      workspaceId: string,
      given: { scopes?: string[]; namespaceIds: string[]; agentId?: string; userId?: string },
    ): Promise<string> {
      const key = secret();
      const salt = realWorld.random(32);
      const text = keyHash(key);
      const body = {
        key_id: realWorld.id(),
        name: 'test key',
        scopes: given.scopes ?? [],
        namespace_ids: given.namespaceIds,
        user_id: given.userId ?? null,
        agent_id: given.agentId ?? null,
        app_id: null,
        secret_commitment: commit(salt, text),
      };
      await append(workspaceId, (receipt_id) => ({ receipt_id, kind: 'key.created', body }), { salt, text });
      return key;
    },
  };
}
