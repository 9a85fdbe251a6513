import type { RecordedOf } from '../../contracts/entries/recorded.js';
import type { Transaction } from '../../src/database/database.js';
import { readAccount } from '../../src/domain/account.js';
import { emailKey } from '../../src/domain/email.js';
import { canonical } from '../../src/verifier/canonical.js';
import { each, inOrder, insertRows, type Projection, together } from '../projection.js';

/**
 * Workspaces, the memberships of people in them, and API keys. Secrets reach it through the vault, as hashes. A row of
 * `members` is the membership of one person in one workspace. What is known about a person is computed from the
 * memberships when it is read (people.ts), so it does not depend on the order in which chains are applied.
 */
export const accountProjection: Projection = {
  name: 'account',
  version: 14,
  tables: ['workspaces', 'members', 'keys'],
  reveals: {},
  // Of a changed account the row is replaced by the entry that has erased this one.
  forgets: [`update members set email = '', email_key = '', password_hash = '' where id = any(erased_subjects)`],
  ddl: `
    create table workspaces (
      id uuid primary key,
      name text not null,
      plan text not null,
      pause_all boolean not null,
      sensitive text not null,
      ask_owner text not null,
      memory_api boolean not null,
      agreed_actions bigint,
      publishes_tasks boolean not null,
      paused text,
      created_at timestamptz not null
    );
    create table members (
      id uuid primary key,
      workspace_id uuid not null,
      person_id uuid not null,
      role text not null,
      email text not null,
      email_key text collate "C" not null,
      password_hash text not null,
      password_set_at timestamptz not null,
      receipt_id text collate "C" not null,
      created_at timestamptz not null
    );
    create index on members (email_key);
    create index on members (workspace_id, id);
    create index on members (person_id);
    create table keys (
      id uuid primary key,
      workspace_id uuid not null,
      name text not null,
      scopes text[] not null,
      namespace_ids uuid[] not null,
      user_id text,
      agent_id text,
      app_id text,
      receipts text,
      secret_hash text collate "C" not null unique,
      kafka_secret_id uuid,
      receipt_id text collate "C" not null,
      created_at timestamptz not null
    );
    create index on keys (workspace_id, id);
  `,
  fold: inOrder(
    together({
      begin: () => ({ workspaces: rows(), members: rows(), keys: rows() }),
      on: {
        'workspace.created': ({ workspaces }, one) => workspaces.push(workspaceRow(one)),
        'member.added': ({ members }, one) => members.push(memberRow(one)),
        'key.created': ({ keys }, one) => keys.push(...keyRows(one)),
      },
      async write(tx, { workspaces, members, keys }) {
        await insertRows(tx, 'workspaces', workspaces);
        await insertRows(tx, 'members', members);
        await insertRows(tx, 'keys', keys);
      },
    }),
    each({
      'member.changed': (tx, { entry }) =>
        tx.query('update members set role = $2 where id = $1', [entry.body.member_id, entry.body.role]),
      'member.password_changed': changeAccount,
      'member.removed': (tx, { entry }) => tx.query('delete from members where id = $1', [entry.body.member_id]),
      'workspace.renamed': (tx, { entry }) =>
        tx.query('update workspaces set name = $2 where id = $1', [entry.workspace_id, entry.body.name]),
      'workspace.provisioned': (tx, { entry }) =>
        tx.query('update workspaces set plan = $2, memory_api = $3, agreed_actions = $4 where id = $1', [
          entry.workspace_id,
          entry.body.plan,
          entry.body.memory_api,
          entry.body.actions ?? null,
        ]),
      'workspace.publishing_changed': (tx, { entry }) =>
        tx.query('update workspaces set publishes_tasks = $2 where id = $1', [
          entry.workspace_id,
          entry.body.publish_task_receipts,
        ]),
      'rules.changed': changeRules,
      'key.bound': (tx, { entry }) =>
        tx.query('update keys set namespace_ids = $2::uuid[] where id = $1', [
          entry.body.key_id,
          entry.body.namespace_ids,
        ]),
      'key.kafka_secret_made': (tx, { entry }) =>
        tx.query('update keys set kafka_secret_id = $2 where id = $1', [entry.body.key_id, entry.body.secret_id]),
      'key.revoked': (tx, { entry }) => tx.query('delete from keys where id = $1', [entry.body.key_id]),
      'namespace.deleted': (tx, { entry }) =>
        tx.query(
          `update keys set namespace_ids = array_remove(namespace_ids, $2::uuid)
            where workspace_id = $1 and $2::uuid = any(namespace_ids)`,
          [entry.workspace_id, entry.body.namespace_id],
        ),
    }),
  ),
};

const rows = (): object[] => [];

function workspaceRow({ entry }: RecordedOf<'workspace.created'>): object {
  const { name, plan } = entry.body;
  return {
    id: entry.workspace_id,
    name,
    plan,
    pause_all: false,
    sensitive: 'redact',
    ask_owner: '[]',
    memory_api: true,
    publishes_tasks: false,
    paused: null,
    created_at: entry.recorded_at,
  };
}

/** Other changes of the rules leave a pause as it has begun. */
function changeRules(tx: Transaction, { entry }: RecordedOf<'rules.changed'>): Promise<unknown> {
  const { pause_all: pauses, sensitive, ask_owner } = entry.body;
  const paused = { since: entry.recorded_at, by: entry.actor.id, receipt_id: entry.receipt_id };
  return tx.query(
    `update workspaces set sensitive = $3, ask_owner = $4, pause_all = $2,
                           paused = case when not $2 then null when pause_all then paused else $5 end
      where id = $1`,
    [entry.workspace_id, pauses, sensitive, canonical(ask_owner), canonical(paused)],
  );
}

function memberRow(one: RecordedOf<'member.added'>): object {
  const { entry } = one;
  return {
    id: entry.body.member_id,
    workspace_id: entry.workspace_id,
    role: entry.body.role,
    created_at: entry.recorded_at,
    ...accountColumns(one),
  };
}

/** Without a deposit, a later entry has changed the password and holds the account, or has removed the member. */
function accountColumns({ entry, deposit }: RecordedOf<'member.added' | 'member.password_changed'>) {
  const account = readAccount(deposit?.texts.content ?? null, entry.body.member_id, entry.recorded_at);
  return {
    person_id: account.personId,
    email: account.email,
    email_key: emailKey(account.email),
    password_hash: account.passwordHash,
    password_set_at: account.passwordSetAt,
    receipt_id: entry.receipt_id,
  };
}

async function changeAccount(tx: Transaction, one: RecordedOf<'member.password_changed'>): Promise<void> {
  // Without a deposit, a later change has replaced this account, and is a later entry of the chain.
  if (one.deposit === null) return;
  const to = accountColumns(one);
  await tx.query(
    `update members set person_id = $2, email = $3, email_key = $4, password_hash = $5, password_set_at = $6,
                        receipt_id = $7
      where id = $1`,
    [
      one.entry.body.member_id,
      to.person_id,
      to.email,
      to.email_key,
      to.password_hash,
      to.password_set_at,
      to.receipt_id,
    ],
  );
}

function keyRows({ entry, deposit }: RecordedOf<'key.created'>): object[] {
  if (deposit === null) return [];
  const { key_id: id, secret_commitment: _, ...rest } = entry.body;
  return [
    {
      ...rest,
      receipts: rest.receipts ?? null,
      id,
      workspace_id: entry.workspace_id,
      secret_hash: deposit.texts.content,
      kafka_secret_id: null,
      receipt_id: entry.receipt_id,
      created_at: entry.recorded_at,
    },
  ];
}
