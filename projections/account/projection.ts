import type { Deposit, Recorded } from '../../contracts/entries/recorded.js';
import type { Transaction } from '../../src/adapters/database/database.js';
import { emailKey } from '../../src/domain/email.js';
import { insertRows, type Projection } from '../projection.js';

/** Who may come in: workspaces, their members and their API keys. Secrets reach it through the vault, as hashes. */
export const accountProjection: Projection = {
  name: 'account',
  // Version 8 has the rules of all workspaces in the order of canonical JSON, as a replay reads them.
  version: 8,
  tables: ['workspaces', 'members', 'keys'],
  reveals: {},
  ddl: `
    create table workspaces (
      id uuid primary key,
      name text not null,
      plan text not null,
      pause_all boolean not null,
      sensitive text not null,
      ask_owner text not null,
      memory_api boolean not null,
      created_at timestamptz not null
    );
    create table members (
      id uuid primary key,
      workspace_id uuid not null,
      role text not null,
      email text not null,
      email_key text collate "C" not null,
      password_hash text not null,
      receipt_id text collate "C" not null,
      created_at timestamptz not null
    );
    create index on members (email_key);
    create index on members (workspace_id, id);
    create table keys (
      id uuid primary key,
      workspace_id uuid not null,
      name text not null,
      scopes text[] not null,
      namespace_ids uuid[] not null,
      user_id text,
      agent_id text,
      app_id text,
      secret_hash text collate "C" not null unique,
      receipt_id text collate "C" not null,
      created_at timestamptz not null
    );
    create index on keys (workspace_id, id);
  `,
  async apply(tx, recorded) {
    await insertRows(tx, 'workspaces', recorded.flatMap(workspaceRow));
    await insertRows(tx, 'members', recorded.flatMap(memberRow));
    await insertRows(tx, 'keys', recorded.flatMap(keyRow));
    for (const one of recorded) await change(tx, one);
  },
};

async function change(tx: Transaction, { entry, deposit }: Recorded): Promise<void> {
  switch (entry.kind) {
    case 'member.changed':
      await tx.query('update members set role = $2 where id = $1', [entry.body.member_id, entry.body.role]);
      return;
    case 'member.password_changed': {
      // A later change has destroyed this one's deposit, and stands further on in the chain.
      if (deposit === null) return;
      const { email, password_hash } = accountOf(deposit);
      await tx.query(
        'update members set password_hash = $2, email = $3, email_key = $4, receipt_id = $5 where id = $1',
        [...[entry.body.member_id, password_hash, email, emailKey(email), entry.receipt_id]],
      );
      return;
    }
    case 'member.removed':
      await tx.query('delete from members where id = $1', [entry.body.member_id]);
      return;
    case 'workspace.renamed':
      await tx.query('update workspaces set name = $2 where id = $1', [entry.workspace_id, entry.body.name]);
      return;
    case 'workspace.provisioned':
      await tx.query('update workspaces set plan = $2, memory_api = $3 where id = $1', [
        entry.workspace_id,
        entry.body.plan,
        entry.body.memory_api,
      ]);
      return;
    case 'rules.changed':
      await tx.query('update workspaces set pause_all = $2, sensitive = $3, ask_owner = $4 where id = $1', [
        entry.workspace_id,
        entry.body.pause_all,
        entry.body.sensitive,
        JSON.stringify(entry.body.ask_owner),
      ]);
      return;
    case 'key.bound':
      await tx.query('update keys set namespace_ids = $2::uuid[] where id = $1', [
        entry.body.key_id,
        entry.body.namespace_ids,
      ]);
      return;
    case 'key.revoked':
      await tx.query('delete from keys where id = $1', [entry.body.key_id]);
      return;
    case 'namespace.deleted':
      await tx.query(
        `update keys set namespace_ids = array_remove(namespace_ids, $2::uuid)
          where workspace_id = $1 and $2::uuid = any(namespace_ids)`,
        [entry.workspace_id, entry.body.namespace_id],
      );
      return;
    default:
      return;
  }
}

function workspaceRow({ entry }: Recorded): object[] {
  if (entry.kind !== 'workspace.created') return [];
  const { name, plan } = entry.body;
  const given = { pause_all: false, sensitive: 'redact', ask_owner: '[]', memory_api: true };
  return [{ id: entry.workspace_id, name, plan, ...given, created_at: entry.recorded_at }];
}

function memberRow({ entry, deposit }: Recorded): object[] {
  if (entry.kind !== 'member.added') return [];
  // Without a deposit, a later entry has changed the password and holds the account, or has removed the member.
  const { email, password_hash } = deposit === null ? { email: '', password_hash: '' } : accountOf(deposit);
  return [
    {
      id: entry.body.member_id,
      workspace_id: entry.workspace_id,
      role: entry.body.role,
      email,
      email_key: emailKey(email),
      password_hash,
      receipt_id: entry.receipt_id,
      created_at: entry.recorded_at,
    },
  ];
}

function accountOf({ texts }: Deposit): { email: string; password_hash: string } {
  return JSON.parse(texts.content ?? '{}');
}

function keyRow({ entry, deposit }: Recorded): object[] {
  if (entry.kind !== 'key.created' || deposit === null) return [];
  const { key_id: id, secret_commitment: _, ...rest } = entry.body;
  return [
    {
      ...{ id, workspace_id: entry.workspace_id, ...rest, secret_hash: deposit.texts.content },
      ...{ receipt_id: entry.receipt_id, created_at: entry.recorded_at },
    },
  ];
}
