import { createHash } from 'node:crypto';
import { join } from 'node:path';
import pino from 'pino';
import { logChain, registryChain } from '../../contracts/chains.js';
import { membersOf } from '../../projections/account/queries.js';
import { storeFile } from '../../projections/closes/queries.js';
import { databaseWriter } from '../../projections/search/queries.js';
import { lexicalEmbedder } from '../../src/adapters/embeddings/lexical.js';
import { keyStore } from '../../src/adapters/signing-keys.js';
import { realWorld } from '../../src/base/world.js';
import { addMemory } from '../../src/commands/add-memory.js';
import { bindAgentKey, createAgentKey, revokeAgentKey } from '../../src/commands/agent-keys.js';
import { linkAgent, unlinkAgent } from '../../src/commands/agents.js';
import { decideApproval } from '../../src/commands/approvals.js';
import { addAttestationKey, removeAttestationKey } from '../../src/commands/attestation-keys.js';
import { bulkDelete } from '../../src/commands/bulk-delete.js';
import { closeDay } from '../../src/commands/close-day.js';
import { deleteMemory } from '../../src/commands/delete-memory.js';
import { createGrant, revokeGrant } from '../../src/commands/grants.js';
import { issueIdentity } from '../../src/commands/issue-identity.js';
import { makeKafkaSecret } from '../../src/commands/keys.js';
import { addMember, removeMember } from '../../src/commands/members.js';
import { beginChain, openWorkspace } from '../../src/commands/open-workspace.js';
import { changePassword } from '../../src/commands/passwords.js';
import { recordInLog } from '../../src/commands/record-in-log.js';
import { createRun, type Run } from '../../src/commands/run.js';
import { recordRecall } from '../../src/commands/search.js';
import { stateLoader } from '../../src/commands/state/state.js';
import { createVault } from '../../src/commands/vault.js';
import { createWebhook, deleteWebhook } from '../../src/commands/webhooks.js';
import type { Database, Row, Value } from '../../src/database/database.js';
import { migrate } from '../../src/database/migrate.js';
import { openDatabase } from '../../src/database/open.js';
import type { Caller } from '../../src/domain/caller.js';
import { prepareModels } from '../../src/maintenance/prepare-models.js';
import { type Rebuildable, rebuildables } from '../../src/maintenance/rebuildable.js';
import { createTransparencyLog } from '../../src/tlog/log.js';
import { fillErc8004 } from '../ethereum/links.js';
import { ledgerOfStore, type OpenLedger } from '../ledger/engines.js';
import { fillDecisions } from '../support/decisions.js';
import { builtIn as embedding } from '../support/embedding.js';
import { ingestAll } from '../support/ingest-all.js';
import { fillApproved, fillInvalidations } from '../support/invalidations.js';
import { preparedStoreAddress } from '../support/new-store.js';
import { fillTasks } from '../support/tasks.js';
import { forIndex, memoryOf } from './memories.js';

export const models = rebuildables(lexicalEmbedder());

export function model(name: string): Rebuildable {
  const found = models.find((candidate) => candidate.name === name);
  if (!found) throw new Error(`there is no read model ${name}`);
  return found;
}

export interface Store {
  readonly database: Database;
  readonly directory: string;
  readonly run: Run;
  sql<R extends Row>(statement: string, params?: readonly Value[]): Promise<R[]>;
  openWorkspace(): Promise<Caller>;
  add(caller: Caller, content: string, metadata?: string): Promise<string>;
  /** The same, found by searches from its write on. */
  addFound(caller: Caller, content: string): Promise<string>;
  remove(caller: Caller, memoryId: string): Promise<void>;
  recall(caller: Caller, query: string, memoryIds?: readonly string[]): Promise<void>;
  /** A bulk delete of these memories, and others that wait, were rejected or are not used. */
  approvals(caller: Caller, memoryIds: readonly string[]): Promise<void>;
  link(caller: Caller, agentId: string): Promise<string>;
  unlink(caller: Caller, linkId: string): Promise<void>;
  /** Makes two keys of an agent, of which one stays and one is revoked. */
  agentKeys(caller: Caller, linkId: string): Promise<void>;
  /** Issues identities, of which one is verified and linked to the workspace with a proof, and to agents of ERC-8004. */
  identities(caller: Caller): Promise<void>;
  /** One stays, and one is removed. */
  attestationKeys(caller: Caller): Promise<void>;
  /** Grants of the owner, of which each of these agents has one that stays, and one that is revoked. */
  grants(caller: Caller, agents: readonly string[]): Promise<void>;
  /** Of a member who stays, twice, and of one who is then removed. */
  changePasswords(caller: Caller): Promise<void>;
  listen(caller: Caller, agentId: string): Promise<string>;
  unlisten(caller: Caller, agentId: string, id: string): Promise<void>;
  /** Closes a day, with its file. */
  closeDay(day: string): Promise<void>;
  /** Makes every memory that waits ready. */
  ingest(): Promise<void>;
  /** Puts every changed head into the public log and signs it. */
  checkpoint(): Promise<void>;
  close(): Promise<void>;
}

/** A new store with its tables and nothing in it. */
export async function newStore(openLedger: OpenLedger = ledgerOfStore): Promise<Store> {
  const { store, directory, remove } = await preparedStoreAddress();
  const database = await openDatabase(store);
  await migrate(database);
  const log = pino({ level: 'silent' });
  const vault = createVault(() => undefined);
  await prepareModels(database, models, log);
  const ledger = openLedger(database);
  const run = createRun(ledger, stateLoader(database, realWorld.now), realWorld);
  await beginChain(ledger, realWorld, logChain);
  await beginChain(ledger, realWorld, registryChain);
  const keys = keyStore(join(directory, 'keys'), 'log.example.org', realWorld.now);
  const transparencyLog = createTransparencyLog({ database, record: recordInLog(run, realWorld), keys });
  return {
    database,
    directory,
    run,
    sql: (statement, params) => database.transaction((tx) => tx.query(statement, params)),
    async openWorkspace() {
      const workspaceId = realWorld.id();
      await beginChain(ledger, realWorld, workspaceId);
      const owner = { email: `${workspaceId}@example.org`, passwordHash: 'argon2id' };
      await run(workspaceId, openWorkspace(realWorld, owner, workspaceId));
      const [namespace] = await database.transaction((tx) =>
        tx.query<{ id: string }>('select id::text from namespaces where workspace_id = $1', [workspaceId]),
      );
      const provenance = { user_id: null, agent_id: 'agent', app_id: null, run_id: null };
      return {
        workspaceId,
        actor: { type: 'key', id: null, ...provenance },
        agent: null,
        scopes: [],
        namespaceIds: namespace ? [namespace.id] : [],
        role: null,
        memoryApi: true,
      };
    },
    async add(caller, content, metadata = '{}') {
      return (await run(caller.workspaceId, addMemory(realWorld, caller, memoryOf(content, metadata)))).memory_id;
    },
    async addFound(caller, content) {
      const write = addMemory(realWorld, caller, memoryOf(content), await forIndex(content));
      return (await run(caller.workspaceId, write)).memory_id;
    },
    async remove(caller, memoryId) {
      await run(caller.workspaceId, deleteMemory(realWorld, caller, memoryId));
    },
    async approvals(caller, memoryIds) {
      const decided = async (asked: readonly string[], word: 'approved' | 'rejected' | null) => {
        const held = run(caller.workspaceId, bulkDelete(realWorld, caller, asked, undefined));
        const id = await held.then(
          () => '',
          (refusal) => String(refusal.details.approval_id),
        );
        if (word === null) return undefined;
        return (await run(caller.workspaceId, decideApproval(realWorld, caller, id, word))).receipt_id;
      };
      await decided([memoryIds[0] ?? ''], null);
      await decided([memoryIds[0] ?? ''], 'rejected');
      const receipt = await decided(memoryIds, 'approved');
      await run(caller.workspaceId, bulkDelete(realWorld, caller, memoryIds, receipt));
      await decided(memoryIds, 'approved');
    },
    async recall(caller, query, memoryIds = []) {
      const recall = { namespace_ids: caller.namespaceIds, mode: 'keyword', degraded: [], k: 8 };
      const results = memoryIds.map((memory_id) => ({ memory_id, receipt_hash: '' }));
      await run(caller.workspaceId, recordRecall(realWorld, caller, query, { ...recall, results }));
    },
    async link(caller, agent_id) {
      return (await run(caller.workspaceId, linkAgent(realWorld, caller, { agent_id, name: null }, realWorld.nonce())))
        .id;
    },
    async unlink(caller, linkId) {
      await run(caller.workspaceId, unlinkAgent(realWorld, caller, linkId));
    },
    async agentKeys(caller, linkId) {
      const key = { name: 'desk', scopes: ['memory.read'], namespaces: undefined } as const;
      const made = () => run(caller.workspaceId, createAgentKey(realWorld, caller, linkId, key, realWorld.nonce()));
      const [stays, goes] = [await made(), await made()];
      await run(caller.workspaceId, bindAgentKey(realWorld, caller, linkId, stays.key_id, []));
      await run(caller.workspaceId, revokeAgentKey(realWorld, caller, linkId, goes.key_id));
    },
    async grants({ workspaceId, ...rest }, agents) {
      const [owner] = await database.read((tx) => membersOf(tx, workspaceId));
      const actor = { ...rest.actor, type: 'person', id: owner?.id ?? '' } as const;
      const person: Caller = { ...rest, workspaceId, actor, role: 'owner' };
      for (const agentId of [...agents, null]) {
        const client = { clientId: 'client', clientName: 'Desk', redirectHost: 'localhost' };
        const scopes = ['mcp:tools', 'memory.read'] as const;
        const grant = { ...client, grantId: realWorld.nonce(), agentId, scopes, namespaceIds: rest.namespaceIds };
        await run(workspaceId, createGrant(realWorld, person, grant));
        if (agentId === null) await run(workspaceId, revokeGrant(realWorld, person, grant.grantId, 'person'));
      }
    },
    async attestationKeys(caller) {
      const add = async (publicKey: string) =>
        (await run(caller.workspaceId, addAttestationKey(realWorld, caller, { publicKey, name: null }))).key.id;
      await add('z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw');
      const removed = await add('zDnaepsL7AXenJkVYdkh5KuKsSU7Ykh7kyXaLLU7auN9FWSiZ');
      await run(caller.workspaceId, removeAttestationKey(realWorld, caller, removed));
    },
    async identities(caller) {
      const proof = { challenge: realWorld.nonce(), signature: 'made up' };
      const issue = (vendor: string, proved: boolean) => {
        const binding = { agent_name: null, public_key: 'z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw', vendor };
        return run(registryChain, issueIdentity(realWorld, binding, proved ? proof : null));
      };
      const { agentId: agent_id } = await issue('Acme', true);
      await issue('Other', false);
      const agent = { agent_id, name: null, handle: '@bot', proved: { proof, vendor: 'Acme' } };
      const { id } = await run(caller.workspaceId, linkAgent(realWorld, caller, agent, realWorld.nonce()));
      await fillErc8004(run, caller, id, agent_id);
    },
    async changePasswords({ workspaceId, ...rest }) {
      const owner: Caller = { ...rest, workspaceId, role: 'owner' };
      const person = { role: 'member', passwordHash: 'argon2id', isReserved: false } as const;
      const email = (name: string) => `${name}@example.org`;
      const [stays, leaves] = await Promise.all(
        ['stays', 'leaves'].map((name) =>
          run(workspaceId, addMember(realWorld, owner, { ...person, email: email(name) })),
        ),
      );
      for (const id of [stays?.id ?? '', stays?.id ?? '', leaves?.id ?? '']) {
        await run(workspaceId, changePassword(realWorld, owner.actor, id, realWorld.nonce()));
      }
      await run(workspaceId, removeMember(realWorld, owner, leaves?.id ?? ''));
    },
    async listen(caller, agentId) {
      const url = new URL('https://hooks.example.org/');
      const webhook = {
        agentId,
        name: null,
        url,
        pattern: { source: 'nowhere' },
        secret: `whsec_${realWorld.nonce()}`,
      };
      return (await run(caller.workspaceId, createWebhook(realWorld, caller, webhook))).id;
    },
    async unlisten(caller, agentId, id) {
      await run(caller.workspaceId, deleteWebhook(realWorld, caller, agentId, id));
    },
    async closeDay(day) {
      const bytes = Buffer.from(`the facts of ${day}`);
      await database.transaction((tx) => storeFile(tx, day, bytes));
      const facts_hash = createHash('sha256').update(bytes).digest('hex');
      const close = { day, levels: { 'CFX.HHI': null, CFX: 1000 }, receipts: 2, root: facts_hash, facts_hash };
      await run(registryChain, closeDay(realWorld, close));
    },
    async ingest() {
      const working = { database, searchIndex: databaseWriter, embedding, vault, world: realWorld, log };
      await ingestAll(working);
    },
    async checkpoint() {
      await transparencyLog.checkpoint();
    },
    async close() {
      await database.close();
      await remove();
    },
  };
}

/** Two workspaces with memories, of which some were invalidated or deleted, a recall, approvals in all their states, task receipts, decisions and handoffs. */
export async function fill(store: Store, memories = 30): Promise<{ caller: Caller; other: Caller; ids: string[] }> {
  const caller = await store.openWorkspace();
  const other = await store.openWorkspace();
  const ids = await Promise.all(
    Array.from({ length: memories }, (_, i) => store.add(caller, `memory number ${i}`, `{"n": ${i}, "x": 1.0}`)),
  );
  await store.add(other, 'of another workspace');
  await store.ingest();
  await store.add(caller, 'not ready yet');
  await fillInvalidations(store, caller, ids.slice(0, 6));
  await fillApproved(store, caller);
  await store.recall(caller, 'what was it', ids.slice(0, 8));
  for (const id of ids.splice(3, 4)) await store.remove(caller, id);
  const agents = [`agn_${'a'.repeat(32)}`, `agn_${'b'.repeat(32)}`];
  const [stays = '', link = ''] = await Promise.all(agents.map((agent) => store.link(caller, agent)));
  for (const one of [stays, link]) await store.agentKeys(caller, one);
  await store.grants(caller, agents);
  const hooks = agents.flatMap((agent) => [agent, agent]).map((agent) => store.listen(caller, agent));
  const [, hook = ''] = await Promise.all(hooks);
  await store.unlisten(caller, agents[0] ?? '', hook);
  await store.unlink(caller, link);
  await store.attestationKeys(caller);
  const { workspaceId } = caller;
  const [key] = await store.sql<{ id: string }>('select id::text from keys where workspace_id = $1', [workspaceId]);
  await store.run(workspaceId, makeKafkaSecret(realWorld, caller, key?.id ?? '', realWorld.id()));
  await store.identities(caller);
  await store.changePasswords(caller);
  await store.approvals(caller, ids.splice(3, 2));
  for (const day of ['2026-01-15', '2026-01-16']) await store.closeDay(day);
  for (const one of [caller, other]) {
    await fillTasks(store, one);
    await fillDecisions(store, one);
  }
  await store.checkpoint();
  return { caller, other, ids };
}
