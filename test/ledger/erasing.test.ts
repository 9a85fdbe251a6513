import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Draft, EntryKind } from '../../contracts/entries/entry.js';
import { lexicalEmbedder } from '../../src/adapters/embeddings/lexical.js';
import { realWorld as world } from '../../src/base/world.js';
import { addMemory } from '../../src/commands/add-memory.js';
import { linkAgent, unlinkAgent } from '../../src/commands/agents.js';
import { decideApproval } from '../../src/commands/approvals.js';
import { bulkDelete } from '../../src/commands/bulk-delete.js';
import { changeRules } from '../../src/commands/change-rules.js';
import type { Command } from '../../src/commands/command.js';
import { createKey, revokeKey } from '../../src/commands/keys.js';
import { addMember, removeMember } from '../../src/commands/members.js';
import { changePassword } from '../../src/commands/passwords.js';
import { createWebhook, deleteWebhook } from '../../src/commands/webhooks.js';
import type { Caller } from '../../src/domain/caller.js';
import { createForIndex } from '../../src/workers/for-index.js';
import { prepareInSlices } from '../../src/workers/indexing.js';
import { newStore, type Store } from '../maintenance/store.js';

let store: Store;
let caller: Caller;
let owner: Caller;
beforeAll(async () => {
  store = await newStore();
  caller = await store.openWorkspace();
  owner = { ...caller, role: 'owner', actor: { ...caller.actor, type: 'person', id: world.id() } };
});
afterAll(() => store.close());

const run = <A>(command: Command<A>): Promise<A> => store.run(caller.workspaceId, command);

/** The receipts that have a row in the vault, with the kind of their entry. */
async function inVault(): Promise<Map<string, EntryKind>> {
  const rows = await store.sql<{ receipt_id: string; kind: EntryKind }>(
    'select v.receipt_id, r.kind from vault v join receipts r on r.receipt_id = v.receipt_id',
  );
  return new Map(rows.map(({ receipt_id, kind }) => [receipt_id, kind]));
}

/** Everything that the vault loses by `act`, by the kind of the entry that committed to it; all of it must be noted as erased. */
async function erasedBy(act: () => Promise<unknown>): Promise<EntryKind[]> {
  const before = await inVault();
  await act();
  const after = await inVault();
  const gone = [...before].filter(([receipt]) => !after.has(receipt));
  const noted = await store.sql('select 1 from erased where receipt_id = any($1::text[])', [gone.map(([one]) => one)]);
  expect(noted).toHaveLength(gone.length);
  return gone.map(([, kind]) => kind).toSorted();
}

const memory = (content: string, approvalId?: string) => ({
  content,
  metadata: '{}',
  source: 'test',
  label: null,
  namespace: undefined,
  sensitive: {},
  playground: false,
  approvalId,
});

/** The id of the approval that a command is refused for the lack of. */
async function held(command: Command<unknown>): Promise<string> {
  const refusal = await run(command).then(
    () => null,
    (error) => error,
  );
  expect(refusal).toMatchObject({ code: 'approval_required' });
  return refusal.details.approval_id;
}

const decide = (id: string, decision: 'approved' | 'rejected') => run(decideApproval(world, owner, id, decision));

it('a memory, with its delete', async () => {
  const { memory_id } = await run(addMemory(world, caller, memory('one')));
  expect(await erasedBy(() => store.remove(caller, memory_id))).toEqual(['memory.write']);
});

it('many memories and the request to delete them, with the bulk delete', async () => {
  const ids = await Promise.all(['a', 'b', 'c'].map((content) => store.add(caller, content)));
  const approval = await decide(await held(bulkDelete(world, caller, ids, undefined)), 'approved');
  const gone = await erasedBy(() => run(bulkDelete(world, caller, ids, approval.receipt_id)));
  expect(gone).toEqual(['approval.requested', 'memory.write', 'memory.write', 'memory.write']);
});

it('a request, with its rejection, and with the write that uses its approval; its excerpt with the decision', async () => {
  const rules = { pause_all: false, sensitive: 'redact' } as const;
  await run(changeRules(world, owner, { ...rules, ask_owner: [{ agent_id: 'agent' }] }));
  const rejected = await held(addMemory(world, caller, memory('never')));
  expect(await erasedBy(() => decide(rejected, 'rejected'))).toEqual(['approval.excerpt', 'approval.requested']);
  const approved = await held(addMemory(world, caller, memory('later')));
  expect(await erasedBy(() => decide(approved, 'approved'))).toEqual(['approval.excerpt']);
  expect(await erasedBy(() => run(addMemory(world, caller, memory('later', approved))))).toEqual([
    'approval.requested',
  ]);
  await run(changeRules(world, owner, { ...rules, ask_owner: [] }));
});

it('an account, with a changed password, and with the removal of the member', async () => {
  const person = { email: 'erased@example.org', role: 'member', passwordHash: 'argon2id', isReserved: false } as const;
  const { id } = await run(addMember(world, owner, person));
  const change = () => run(changePassword(world, owner.actor, id, world.nonce()));
  expect(await erasedBy(change)).toEqual(['member.added']);
  expect(await erasedBy(change)).toEqual(['member.password_changed']);
  expect(await erasedBy(() => run(removeMember(world, owner, id)))).toEqual(['member.password_changed']);
});

it('a key, with its revocation', async () => {
  const named = { name: 'key', scopes: [], user_id: null, agent_id: null, app_id: null, namespaces: undefined };
  const { key_id } = await run(createKey(world, owner, named, world.nonce()));
  expect(await erasedBy(() => run(revokeKey(world, owner, key_id)))).toEqual(['key.created']);
});

it('a webhook, with its delete, and with the agent whose it is', async () => {
  const agentId = `agn_${'e'.repeat(32)}`;
  const webhook = { agentId, name: null, url: new URL('https://hooks.example.org/'), pattern: { source: 'x' } };
  const listen = () => run(createWebhook(world, caller, { ...webhook, secret: `whsec_${world.nonce()}` }));
  const { id: link } = await run(linkAgent(world, owner, { agent_id: agentId, name: null }, world.nonce()));
  const [{ id }] = [await listen(), await listen(), await listen()];
  expect(await erasedBy(() => run(deleteWebhook(world, caller, agentId, id)))).toEqual(['webhook.created']);
  const gone = await erasedBy(() => run(unlinkAgent(world, owner, link)));
  expect(gone).toEqual(['agent.linked', 'webhook.created', 'webhook.created']);
});

it('what was written and deleted by one append, which the search index never has', async () => {
  const log = { info: () => undefined, warn: () => undefined };
  const forIndex = createForIndex({ embedder: lexicalEmbedder(), prepare: prepareInSlices(), log });
  const text = await forIndex('short-lived');
  expect(text?.vectors).toHaveLength(1);
  const write = addMemory(world, caller, memory('short-lived'), text);
  const both: Command<unknown> = {
    ...write,
    decide(state, recordedAt, head) {
      const done = write.decide(state, recordedAt, head);
      const [written] = done.drafts;
      if (written?.kind !== 'memory.write') throw new Error('it was not written');
      const { memory_id, namespace_id } = written.body;
      const deleted: Draft = {
        ...written,
        kind: 'memory.delete',
        receipt_id: `rcp_${world.nonce().replaceAll('-', '')}`,
        body: {
          memory_id,
          namespace_id,
          write_receipt_id: written.receipt_id,
          write_receipt_hash: '0'.repeat(64),
        },
      };
      return { ...done, drafts: [written, deleted] };
    },
  };
  const before = await inVault();
  await run(both);
  expect(await inVault()).toEqual(before);
  const indexed = ['documents', 'texts', 'postings', 'vectors', 'codes'].map((table) =>
    store.sql(`select 1 from search_${table}`),
  );
  expect((await Promise.all(indexed)).flat()).toEqual([]);
});
