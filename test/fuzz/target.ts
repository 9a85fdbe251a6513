import type { administration } from '../http/keys.js';
import { type Person, signedIn } from '../http/person.js';
import { apiKey, type Service } from '../http/service.js';
import { agent, type Draft, type Id } from './requests.js';

/** The ids that requests name, and the credentials that may ask, at one moment. */
export interface Target {
  credentials(who: number): Record<string, string>;
  path(draft: Draft): string;
}

const roles = ['owner', 'admin', 'member', 'reader', 'none'] as const;

/**
 * Makes new people and keys and looks up which ids there are. What was sent may have removed, demoted or bound anybody, so this
 * is done again from time to time.
 */
export async function target(service: Service, admin: ReturnType<typeof administration>): Promise<Target> {
  const { workspaceId, namespaceId } = await admin.first();
  const people = await Promise.all(roles.map(async (role) => signedIn(service, await admin.member(workspaceId, role))));
  const [owner] = people;
  if (!owner) throw new Error('there is no owner');
  await owner.call('PUT', '/v1/rules', { pause_all: false, sensitive: 'redact', ask_owner: [] });
  const namespaceIds = [namespaceId];
  const keys = [
    apiKey,
    await admin.key(workspaceId, { namespaceIds }),
    await admin.key(workspaceId, { namespaceIds, scopes: ['memory.write'] }),
    await admin.key(workspaceId, { namespaceIds, scopes: ['memory.read'] }),
    await admin.key(workspaceId, { namespaceIds: [] }),
    (await admin.workspace()).key,
  ];
  await prepare(owner);
  const ids = await idsSeenBy(owner);
  const all: Record<string, string>[] = [
    // Those who may do most come most often, or everything is refused at the door.
    ...[0, 1, 2, 3, 4, 5, 0, 0, 0, 1, 1, 1, 2, 2].map((at) => ({ authorization: `Bearer ${keys[at]}` })),
    ...[0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 4].map((at) => ({ cookie: people[at]?.cookie() ?? '' })),
    ...['', 'Bearer', 'Bearer ak_x', 'Bearer vk_x', 'Basic YTpi', `Bearer ${'x'.repeat(5000)}`].map(
      (authorization) => ({ authorization }),
    ),
    { cookie: 'service_session=x.y.z' },
    { cookie: `service_session=${'%'.repeat(30)}; service_session=; =;` },
    {},
  ];
  return {
    credentials: (who) => ({ ...all[who % all.length] }),
    path({ path, params, query }) {
      const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
        partOf(params[name] ?? { text: 'x' }, ids[name] ?? []),
      );
      return query === '' ? filled : `${filled}?${query}`;
    },
  };
}

/** An agent with a webhook, and something that waits for an approval; what is there already stays. */
async function prepare(owner: Person): Promise<void> {
  await owner.call('POST', '/v1/agents', { agent_id: agent['x-service-agent'] });
  const webhook_url = 'https://hooks.example.org/counterfoil';
  await owner.call('POST', '/v1/webhooks', { webhook_url, pattern: { contains: 'never written' } }, agent);
  const unknown = '018f0000-0000-7000-8000-00000000abcd';
  await owner.call('POST', '/v1/memories/bulk-delete', { ids: [unknown] });
}

function partOf(id: Id, there: readonly string[]): string {
  if ('text' in id) return id.text;
  return there[id.there % Math.max(1, there.length)] ?? 'none';
}

/** Name of a path parameter → ids that it may have. */
async function idsSeenBy(owner: Person): Promise<Record<string, string[]>> {
  const list = async (path: string, name: string): Promise<string[]> =>
    (await owner.call('GET', path, undefined, agent)).json.data.map((one: Record<string, string>) => one[name]);
  return {
    memory_id: await list('/v1/memories?limit=100&include_playground=true', 'id'),
    job_id: await list('/v1/ingest?limit=100', 'job_id'),
    namespace_id: await list('/v1/namespaces', 'id'),
    key_id: await list('/v1/keys?limit=100', 'key_id'),
    member_id: await list('/v1/members', 'id'),
    receipt_id: await list('/v1/receipts?limit=100', 'receipt_id'),
    approval_id: await list('/v1/approvals?limit=100', 'id'),
    link_id: await list('/v1/agents?limit=100', 'id'),
    webhook_id: await list('/v1/webhooks', 'id'),
    path: ['0/000.p/1', '0/000', 'entries/000.p/1', '1/000.p/1'],
  };
}
