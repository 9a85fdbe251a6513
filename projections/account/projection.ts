import type { Recorded } from '../../contracts/entries/recorded.js';
import { insertRows, type Projection } from '../projection.js';

/** Who may come in: workspaces, their members and their API keys. Secrets reach it through the vault, as hashes. */
export const accountProjection: Projection = {
  name: 'account',
  version: 1,
  tables: ['workspaces', 'members', 'keys'],
  ddl: `
    create table workspaces (
      id uuid primary key,
      name text not null,
      plan text not null,
      created_at timestamptz not null
    );
    create table members (
      id uuid primary key,
      workspace_id uuid not null,
      role text not null,
      email text not null,
      password_hash text not null,
      created_at timestamptz not null
    );
    create index on members (email);
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
      created_at timestamptz not null
    );
  `,
  async apply(tx, recorded) {
    await insertRows(tx, 'workspaces', recorded.flatMap(workspaceRow));
    await insertRows(tx, 'members', recorded.flatMap(memberRow));
    await insertRows(tx, 'keys', recorded.flatMap(keyRow));
  },
};

function workspaceRow({ entry }: Recorded): object[] {
  if (entry.kind !== 'workspace.created') return [];
  return [{ id: entry.workspace_id, name: entry.body.name, plan: entry.body.plan, created_at: entry.recorded_at }];
}

function memberRow({ entry, deposit }: Recorded): object[] {
  if (entry.kind !== 'member.added' || deposit === null) return [];
  const account: { email: string; password_hash: string } = JSON.parse(deposit.content ?? '{}');
  return [
    {
      id: entry.body.member_id,
      workspace_id: entry.workspace_id,
      role: entry.body.role,
      email: account.email,
      password_hash: account.password_hash,
      created_at: entry.recorded_at,
    },
  ];
}

function keyRow({ entry, deposit }: Recorded): object[] {
  if (entry.kind !== 'key.created' || deposit === null) return [];
  const { key_id: id, secret_commitment: _, ...rest } = entry.body;
  return [
    { id, workspace_id: entry.workspace_id, ...rest, secret_hash: deposit.content, created_at: entry.recorded_at },
  ];
}
