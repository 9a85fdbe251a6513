import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { startService } from '../service.js';
import { ask, signIn } from '../sign-in.js';

const owner = { email: 'owner@example.org', password: 'a password of the bench' };
export const otherAgent = `agn_${'c'.repeat(32)}`;

/** The namespaces beside the default one. */
const names = ['letters', 'house notes', 'contracts', 'garden club'] as const;
export type NamespaceName = 'default' | (typeof names)[number];

/** A service with a workspace, looked at from outside by its owner. */
export interface Desk {
  readonly origin: string;
  /** Of the agent: `wide` reaches all namespaces but the last one, and `bound` reaches that one alone. */
  readonly keys: Readonly<Record<'wide' | 'bound', string>>;
  /** Writes a memory and waits until it can be found. */
  write(text: string, namespace: NamespaceName): Promise<void>;
  memories(): Promise<readonly StoredMemory[]>;
  approve(id: string): Promise<void>;
  usedApprovals(): Promise<readonly string[]>;
  handoffs(): Promise<readonly Handoff[]>;
  stop(): Promise<void>;
}

export interface StoredMemory {
  readonly id: string;
  readonly text: string;
  readonly namespace: string;
  readonly source: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface Handoff {
  readonly to: string;
  readonly summary: string;
  readonly task: string | null;
  readonly namespace: string;
  readonly refs: readonly string[];
}

const withId = z.object({ id: z.string() });
const namespacesListed = z.object({ data: z.array(z.object({ id: z.string(), name: z.string() })) });
const keyMade = z.object({ key: z.string() });
const memoriesListed = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      excerpt: z.string(),
      namespace_id: z.string(),
      source: z.string().nullable(),
      metadata: z.record(z.string(), z.unknown()),
    }),
  ),
});
const approvalsListed = z.object({ data: z.array(withId) });
const receiptsListed = z.object({ data: z.array(withId) });
const jobsListed = z.object({ data: z.array(z.unknown()) });
const handoffReceipt = z.object({
  body: z.object({ namespace_id: z.string() }),
  handoff: z.object({
    summary: z.string(),
    task: z.string().optional(),
    to_agent: z.string(),
    refs: z.array(z.string()).default([]),
  }),
});

/** @param program of the service, of another build than this one */
export async function openDesk(
  dataDir: string,
  env: Readonly<Record<string, string>>,
  program: string | undefined,
): Promise<Desk> {
  const given = { ...env, OWNER_EMAIL: owner.email, OWNER_PASSWORD: owner.password };
  const service = await startService(dataDir, 8196, given, program);
  const cookie = await signIn(service, owner.email, owner.password);
  const call: Call = (method, path, body) => ask(service, method, path, { cookie }, body);
  for (const name of names) await call('POST', '/v1/namespaces', { name });
  const all = namespacesListed.parse(await call('GET', '/v1/namespaces')).data;
  const idOf = new Map(all.map(({ id, name }) => [name, id]));
  const nameOf = new Map(all.map(({ id, name }) => [id, name]));
  const ask_owner = [{ source: 'crawler' }, { namespace_id: idOf.get('contracts') }];
  await call('PUT', '/v1/rules', { pause_all: false, sensitive: 'redact', ask_owner });
  const link = withId.parse(await call('POST', '/v1/agents', { agent_id: `agn_${'b'.repeat(32)}` }));
  const keyFor = async (namespaces: readonly NamespaceName[]) => {
    const body = {
      name: namespaces.length === 1 ? 'bound' : 'wide',
      namespace_ids: namespaces.map((one) => idOf.get(one)),
    };
    return keyMade.parse(await call('POST', `/v1/agents/${link.id}/keys`, body)).key;
  };
  return {
    origin: service.origin,
    keys: {
      wide: await keyFor(['default', 'letters', 'house notes', 'contracts']),
      bound: await keyFor(['garden club']),
    },
    async write(text, namespace) {
      await call('POST', '/v1/memories', { content: text, namespace });
      await settled(call);
    },
    async memories() {
      await settled(call);
      const { data } = memoriesListed.parse(await call('GET', '/v1/memories?limit=100'));
      return data.map(({ id, excerpt: text, namespace_id, source, metadata }) => ({
        id,
        text,
        namespace: nameOf.get(namespace_id) ?? namespace_id,
        source,
        metadata,
      }));
    },
    async approve(id) {
      await call('POST', `/v1/approvals/${id}/approve`);
    },
    async usedApprovals() {
      return approvalsListed.parse(await call('GET', '/v1/approvals?status=used&limit=100')).data.map(({ id }) => id);
    },
    handoffs: () => handoffsOf(call, nameOf),
    stop: () => service.stop(),
  };
}

type Call = (method: string, path: string, body?: unknown) => Promise<unknown>;

/** Waits until the jobs in all namespaces have ended. */
async function settled(call: Call): Promise<void> {
  const path = '/v1/ingest?stage=queued,extracting,chunking,embedding,indexing&limit=1';
  while (jobsListed.parse(await call('GET', path)).data.length > 0) await pause(20);
}

async function handoffsOf(call: Call, nameOf: ReadonlyMap<string, string>): Promise<readonly Handoff[]> {
  const { data } = receiptsListed.parse(await call('GET', '/v1/receipts?kind=handoff&limit=100'));
  const receipts = await Promise.all(
    data.map(async ({ id }) => handoffReceipt.parse(await call('GET', `/v1/receipts/${id}`))),
  );
  return receipts.map(({ body, handoff: { summary, task = null, to_agent: to, refs } }) => ({
    to,
    summary,
    task,
    namespace: nameOf.get(body.namespace_id) ?? body.namespace_id,
    refs,
  }));
}
