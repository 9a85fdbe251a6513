import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentIn } from '../../../contracts/agents.js';
import { keyIn } from '../../../contracts/keys.js';
import { memberIn } from '../../../contracts/members.js';
import { namespaceIn } from '../../../contracts/memory.js';
import { webhookIn } from '../../../contracts/webhooks.js';
import { realWorld as world } from '../../../src/base/world.js';
import { addMemory } from '../../../src/commands/add-memory.js';
import { linkAgent } from '../../../src/commands/agents.js';
import { changeRules } from '../../../src/commands/change-rules.js';
import { createKey } from '../../../src/commands/keys.js';
import { addMember } from '../../../src/commands/members.js';
import { createNamespace } from '../../../src/commands/namespaces.js';
import { answering, once } from '../../../src/commands/once.js';
import { recordTasks } from '../../../src/commands/record-tasks.js';
import { createWebhook } from '../../../src/commands/webhooks.js';
import type { Caller } from '../../../src/domain/caller.js';
import { contentHash } from '../../../src/domain/content.js';
import { fsck } from '../../../src/maintenance/fsck.js';
import { memoryOf } from '../../maintenance/memories.js';
import { models, newStore, type Store } from '../../maintenance/store.js';
import { stores } from '../../support/stores.js';
import { installation, newTask } from '../../support/tasks.js';

/**
 * What may be unique: ids, hashes of secrets and numbers that the service makes, and what belongs to one workspace, where a
 * command decides on it before its append. A caller chooses none of it but the ids of traces, which belong to a workspace
 * and are in no append.
 */
const unique = [
  'admissions (memory_id)',
  'agent_keys (id)',
  'agent_keys (secret_hash)',
  'agent_registrations (link_id)',
  'agent_registrations (workspace_id, linked_seq)',
  'agents (id)',
  'agents (token_hash)',
  'agents (workspace_id, agent_id)',
  'alerts (id)',
  'anchors (size, type)',
  'answers (chain, request_key)',
  'approval_mails (approval_id, notice, member_id)',
  'approval_mails (id)',
  'approval_notices (approval_id, notice)',
  'approvals (id)',
  'attestation_keys (id)',
  'chains (chain)',
  'checkpoints (size)',
  'close_files (day)',
  'closes (day)',
  'credential_uses (id)',
  'decisions (receipt_id)',
  'deliveries (id)',
  'deliveries (webhook_id, memory_id)',
  'entries (chain, seq)',
  'entries (receipt_id)',
  'erased (receipt_id)',
  'ethereum_anchors (size)',
  'ethereum_transactions (account, nonce)',
  'ethereum_transactions (purpose, reference)',
  'ethereum_variants (account, nonce, variant)',
  'ethereum_variants (tx_hash)',
  'fact_attestations (recorded_ms, hash, position)',
  'fact_capabilities (agent, capability)',
  'fact_handles (workspace, handle, from_seq)',
  'fact_months (agent, month)',
  'fact_private_ids (recorded_ms, hash)',
  'fact_statements (recorded_ms, hash, type)',
  'facts (recorded_ms, hash)',
  'feedback_emissions (workspace_id, agn_id, epoch)',
  'feedback_files (agn_id, epoch)',
  'firings (id)',
  'firings (position)',
  'first_credentials (singleton)',
  'followers (name, chain)',
  'former_anchors (log, size, type)',
  'former_checkpoints (log, size)',
  'former_ethereum_anchors (log, size)',
  'former_leaves (log, index)',
  'former_logs (log)',
  'former_logs (next)',
  'grants (id)',
  'guests (email_key)',
  'guests (id)',
  'halted_chains (chain)',
  'identities (agent_id)',
  'identities (number)',
  'jobs (job_id)',
  'keys (id)',
  'keys (secret_hash)',
  'last_workspaces (person_id)',
  'leases (name)',
  'ledger_home (only_row)',
  'log_leaves (index)',
  'log_leaves (workspace_id, size)',
  'log_turns (seq)',
  'lost_memories (id)',
  'members (id)',
  'memories (id)',
  'memory_approvers (approval_id)',
  'memory_counts (namespace_id)',
  'memory_recalls (memory_id, seq)',
  'memory_reinstatements (workspace_id)',
  'memory_terms (term, seq, memory_id)',
  'memory_uses (memory_id)',
  'meter (workspace_id, month)',
  'migrations (name)',
  'namespaces (id)',
  'namespaces (workspace_id, name)',
  'oauth_state (model, id)',
  'open_traces (workspace_id, trace_id)',
  'operation_jobs (job_id)',
  'operation_jobs (kind)',
  'pending_appends (chain, last_hash)',
  'projections (name)',
  'rate_limits (key)',
  'receipt_namespaces (workspace_id, namespace_id, seq)',
  'receipts (workspace_id, seq)',
  'relay_keys (chain)',
  'relay_partitions (topic, partition)',
  'relay_stops (topic, chain)',
  'relay_topics (stream)',
  'relay_topics (topic)',
  'role_holders (role, owner)',
  'search_codes (space, block)',
  'search_copies (index_number, memory_id)',
  'search_documents (memory_id)',
  'search_documents (namespace_id, seq)',
  'search_floors (model)',
  'search_indices (name)',
  'search_indices (number)',
  'search_indices (state)',
  'search_namespaces (namespace_id)',
  'search_postings (bucket, block)',
  'search_reach (namespace_id)',
  'search_rebuild (workspace_id)',
  'search_recent (namespace_id, seq)',
  'search_texts (memory_id, part)',
  'search_vectors (space, seq, ordinal)',
  'secrets (name)',
  'sessions (id)',
  'settled_time (only_row)',
  'signing_heirs (turn)',
  'signing_requests (id)',
  'stored_feeds (name)',
  'stream_position (only_row)',
  'task_statements (receipt_id, type)',
  'tasks (receipt_id)',
  'terminal_accounts (person_id)',
  'tiles (tree, level, index)',
  'trees (tree)',
  'used_challenges (challenge)',
  'vault (receipt_id)',
  'watched (id)',
  'watched (person_id, kind, ref_id)',
  'webhook_health (webhook_id)',
  'webhooks (id)',
  'workspaces (id)',
];

describe.each(stores)('what callers choose, on %s', () => {
  let store: Store;
  beforeAll(async () => {
    store = await newStore();
  });
  afterAll(() => store.close());

  it('is no key: a new unique index has to be looked at', async () => {
    const rows = await store.sql<{ index: string }>(
      `select c.relname || ' (' || string_agg(a.attname, ', ' order by k.at) || ')' as index
         from pg_index i join pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace
         cross join lateral unnest(i.indkey) with ordinality k(number, at)
         join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number
        where n.nspname = current_schema() and i.indisunique group by i.indexrelid, c.relname`,
    );
    expect(rows.map(({ index }) => index).toSorted()).toEqual(unique.toSorted());
  });

  const wide = '\u{1F9FE}';
  /** Keys of indexes are compressed, so a repeated character would be a short one. */
  const incompressible = Array.from({ length: 500 }, (_, n) => contentHash(String(n))).join('');
  const chosen = {
    agent: { agent_id: `agn_${'z'.repeat(32)}`, name: wide.repeat(32) },
    member: { email: `${wide.repeat(155)}@example.org`, role: 'member' as const },
    namespace: `\u0130${wide.repeat(31)}`,
    key: { name: wide.repeat(32), user_id: wide.repeat(64), agent_id: wide.repeat(64), app_id: wide.repeat(64) },
    task: {
      session_id: incompressible,
      model: '\u0001'.repeat(5000),
      trace_id: 'f'.repeat(32),
      started_at: '0001-01-01t23:59:59.999999999999-23:59',
      ended_at: '9999-12-31T23:59:59Z',
      market: {
        schema: 'counterfoil-market/1' as const,
        workflow: { id: wide.repeat(128), name: wide.repeat(64) },
        rfq: {
          rfq_id: wide.repeat(128),
          capability: 'x',
          quantity: 1e-6,
          expires_at: '0001-01-01T00:00:00Z',
          status: 'open' as const,
        },
      },
    },
    webhook: { webhook_url: 'https://hooks.example.org/', pattern: { source: wide.repeat(500), contains: 'a' } },
  };

  it('the values below are such that the interface takes them', () => {
    expect(agentIn.agent_id.schema.parse(chosen.agent.agent_id)).toBe(chosen.agent.agent_id);
    expect(memberIn.email.schema.parse(chosen.member.email)).toBe(chosen.member.email);
    expect(namespaceIn.name.schema.parse(chosen.namespace)).toBe(chosen.namespace);
    expect(keyIn.user_id.schema.parse(chosen.key.user_id)).toBe(chosen.key.user_id);
    expect(webhookIn.pattern.schema.parse(chosen.webhook.pattern)).toEqual(chosen.webhook.pattern);
  });

  const metadata = [
    '{}',
    `{"${wide.repeat(8000)}": "${wide.repeat(7000)}"}`,
    `${'{"a":'.repeat(63)}1${'}'.repeat(63)}`,
    '{"n": 1e400, "m": -0.0, "o": 123456789012345678901234567890.5, "p": 1e-400}',
    '{"a": 1, "a": 2, "__proto__": {"x": 1}, "constructor": null, "": ""}',
    `{${Array.from({ length: 3000 }, (_, i) => `"k${i}": ${i}`).join(',')}}`,
  ];

  /** Everything that a workspace can be asked to write, with the same values in each. */
  async function writeAll(caller: Caller): Promise<void> {
    const owner: Caller = { ...caller, role: 'owner', actor: { ...caller.actor, type: 'person', id: world.id() } };
    const { workspaceId } = caller;
    await store.run(workspaceId, createNamespace(world, owner, chosen.namespace));
    await store.run(
      workspaceId,
      addMember(world, owner, { ...chosen.member, passwordHash: 'argon2id', isReserved: false }),
    );
    await store.run(workspaceId, linkAgent(world, owner, chosen.agent, world.nonce()));
    await store.run(
      workspaceId,
      createKey(world, owner, { ...chosen.key, scopes: [], namespaces: undefined }, world.nonce()),
    );
    await store.run(
      workspaceId,
      createWebhook(world, caller, {
        agentId: chosen.agent.agent_id,
        name: chosen.agent.name,
        url: new URL(chosen.webhook.webhook_url),
        pattern: chosen.webhook.pattern,
        secret: 'whsec_the same',
      }),
    );
    const ask_owner = [{ namespace_id: caller.namespaceIds[0], source: wide.repeat(512), min_bytes: 2 ** 53 - 1 }];
    await store.run(workspaceId, changeRules(world, owner, { pause_all: false, sensitive: 'redact', ask_owner }));
    const by: Caller = {
      ...caller,
      actor: {
        ...caller.actor,
        id: world.id(),
        user_id: chosen.key.user_id,
        agent_id: chosen.key.agent_id,
        app_id: chosen.key.app_id,
        run_id: wide.repeat(64),
      },
    };
    for (const [i, one] of metadata.entries()) {
      const memory = {
        ...memoryOf(`the same ${i}`),
        metadata: one,
        source: wide.repeat(10_000),
        label: wide.repeat(512),
      };
      const added = answering(addMemory(world, by, memory), (body) => ({ status: 202, body }));
      await store.run(workspaceId, once(added, { requestKey: `the same ${i}`, digest: 'the same' }));
    }
    const tasks = [wide.repeat(128), "'; --", 'rcp_', 'a\u0301'].map((id) => newTask(id, { task: chosen.task }));
    await store.run(workspaceId, recordTasks(installation, by, tasks));
  }

  it('may be the same in two workspaces, and as long and strange as the interface takes it', async () => {
    for (const _ of ['one', 'another']) await writeAll(await store.openWorkspace());
    await store.ingest();
    expect((await fsck(store.database, models, { onProgress: () => undefined })).faults).toBeNull();
    expect(await store.sql('select 1 from memories')).toHaveLength(2 * metadata.length);
    expect(await store.sql('select 1 from tasks')).toHaveLength(2 * 4);
  });
});
