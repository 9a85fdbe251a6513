import type { AskRule, Plan, Role, WriteRules } from '../../contracts/entries/entry.js';
import type { Reader, Row, Transaction } from '../../src/database/database.js';
import type { Scope } from '../../src/domain/caller.js';
import { useRows } from '../uses/rows.js';

interface KeyView extends Row {
  id: string;
  workspace_id: string;
  name: string;
  scopes: Scope[];
  namespace_ids: string[];
  user_id: string | null;
  agent_id: string | null;
  app_id: string | null;
}

/** A key, and what its workspace has. */
export interface KnownKey extends KeyView {
  memory_api: boolean;
  /** See the entry `key.created`; null of keys from before there was the scope receipts.read. */
  receipts: 'by scope' | 'all' | null;
}

const known = `k.id::text, k.workspace_id::text, k.name, k.scopes, k.namespace_ids::text[], k.user_id, k.agent_id,
  k.app_id, k.receipts, w.memory_api`;

/** The live API key whose secret has this SHA-256. */
export async function keyBySecretHash(tx: Reader, secretHash: string): Promise<KnownKey | undefined> {
  return (await keysBySecretHash(tx, [secretHash])).get(secretHash);
}

/** The live API keys whose secrets have these SHA-256, by them. */
export async function keysBySecretHash(
  tx: Reader,
  secretHashes: readonly string[],
): Promise<ReadonlyMap<string, KnownKey>> {
  const rows = await tx.query<KnownKey & { secret_hash: string }>(
    `select k.secret_hash, ${known} from keys k join workspaces w on w.id = k.workspace_id where k.secret_hash = any($1)`,
    [secretHashes],
  );
  return new Map(rows.map(({ secret_hash: hash, ...key }) => [hash, key]));
}

/** A key that signs records of Kafka. */
export interface SigningKey extends KnownKey {
  /** The id of its newest secret; null for a key without one. */
  kafka_secret_id: string | null;
}

/** The live API key with this id, which is a UUID. */
export async function signingKey(tx: Transaction, id: string): Promise<SigningKey | undefined> {
  const [row] = await tx.query<SigningKey>(
    `select ${known}, k.kafka_secret_id::text
       from keys k join workspaces w on w.id = k.workspace_id where k.id = $1::uuid`,
    [id],
  );
  return row;
}

export interface KeyListed extends KeyView {
  created_at: string;
}

const listed = `id::text, workspace_id::text, name, scopes, namespace_ids::text[], user_id, agent_id, app_id, created_at`;

export interface KeyUsed extends KeyListed {
  last_used_at: string | null;
}

/** The live keys of a workspace, newest first: those before `before`. */
export function keysOfWorkspace(
  tx: Transaction,
  workspaceId: string,
  before: string | null,
  limit: number,
): Promise<KeyUsed[]> {
  return tx.query<KeyUsed>(
    `select k.*, u.used_at as last_used_at from (
       select ${listed} from keys where workspace_id = $1 and ($2::uuid is null or id < $2::uuid) order by id desc limit $3
     ) k left join ${useRows} u on u.id = k.id order by k.id desc`,
    [workspaceId, before, limit],
  );
}

/** A key that is not revoked, of any workspace. */
export async function keyById(tx: Transaction, id: string): Promise<KeyListed | undefined> {
  const [row] = await tx.query<KeyListed>(`select ${listed} from keys where id = $1::uuid`, [id]);
  return row;
}

/** The facts about these keys that commands decide by. */
export function keysOf(tx: Transaction, workspaceId: string, ids: readonly string[]) {
  return tx.select<{ id: string; receipt_id: string; namespace_ids: string[] }>(
    'select id::text, receipt_id, namespace_ids::text[] from keys where workspace_id = $1 and id = any($2::uuid[])',
    [workspaceId, ids],
  );
}

interface RulesRow extends Row {
  pause_all: boolean;
  sensitive: WriteRules['sensitive'];
  ask_owner: string;
  plan: Plan;
  agreed_actions: number | null;
  publishes_tasks: boolean;
}

interface WorkspaceRules {
  readonly rules: WriteRules;
  readonly plan: Plan;
  /** The actions a month that were agreed; null where the plan says the number. */
  readonly agreedActions: number | null;
  /** Whether task receipts that are recorded now are public. */
  readonly publishesTasks: boolean;
}

/** The conditions that the workspace sets for writes, its plan, and whether it publishes its task receipts. */
export async function rulesOf(tx: Transaction, workspaceId: string): Promise<WorkspaceRules> {
  const [row] = await tx.select<RulesRow>(
    'select pause_all, sensitive, ask_owner, plan, agreed_actions, publishes_tasks from workspaces where id = $1',
    [workspaceId],
  );
  if (!row) throw new Error(`there is no workspace ${workspaceId}`);
  const { pause_all, sensitive, plan, agreed_actions: agreedActions, publishes_tasks: publishesTasks } = row;
  const ask_owner: readonly AskRule[] = JSON.parse(row.ask_owner);
  return { rules: { pause_all, sensitive, ask_owner }, plan, agreedActions, publishesTasks };
}

/** The pause of all agents of a workspace. */
export interface Paused {
  readonly since: string;
  /** The person who has paused them, by the id of the membership. */
  readonly by: string | null;
  readonly receipt_id: string;
}

/** Null where agents are not paused. */
export async function pauseOf(tx: Transaction, workspaceId: string): Promise<Paused | null> {
  const [row] = await tx.query<{ paused: string | null }>('select paused from workspaces where id = $1', [workspaceId]);
  return row?.paused ? JSON.parse(row.paused) : null;
}

export interface MemberListed extends Row {
  id: string;
  email: string;
  role: Role;
  receipt_id: string;
  created_at: string;
}

/** The members of a workspace in the order in which they came, all of them or those with these ids. */
export function membersOf(
  tx: Transaction,
  workspaceId: string,
  ids: readonly string[] | null = null,
): Promise<MemberListed[]> {
  return tx.query<MemberListed>(
    `select id::text, email, role, receipt_id, created_at from members
      where workspace_id = $1 and ($2::uuid[] is null or id = any($2::uuid[])) order by id`,
    [workspaceId, ids],
  );
}

interface WorkspaceRow extends Row {
  id: string;
  name: string;
  plan: Plan;
  created_at: string;
}

interface WorkspaceView extends WorkspaceRow {
  publish_task_receipts: boolean;
}

interface WorkspaceListed extends WorkspaceRow {
  memory_api: boolean;
  agreed_actions: number | null;
}

/** All workspaces, the oldest first. */
export function allWorkspaces(tx: Transaction): Promise<WorkspaceListed[]> {
  return tx.query<WorkspaceListed>(
    'select id::text, name, plan, memory_api, agreed_actions, created_at from workspaces order by id',
  );
}

/** The workspace that the first start made; undefined before there is one. */
export async function firstWorkspace(tx: Transaction): Promise<string | undefined> {
  const [row] = await tx.query<{ id: string }>('select id::text from workspaces order by id limit 1');
  return row?.id;
}

export async function workspaceById(tx: Transaction, id: string): Promise<WorkspaceView> {
  const [row] = await tx.query<WorkspaceView>(
    'select id::text, name, plan, created_at, publishes_tasks as publish_task_receipts from workspaces where id = $1',
    [id],
  );
  if (!row) throw new Error(`there is no workspace ${id}`);
  return row;
}
