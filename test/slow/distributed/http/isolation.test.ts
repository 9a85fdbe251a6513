import { beforeAll, describe, expect, it } from 'vitest';
import type { errors } from '../../../../contracts/errors.js';
import type { WorkspaceOperation as Endpoint } from '../../../../src/api/operation.js';
import { workspaceOperations as routes } from '../../../../src/api/operations.js';
import { usePeople } from '../../../http/people.js';
import { type Person, signedIn } from '../../../http/person.js';
import type { Reply } from '../../../http/service.js';
import { taskReceipt } from '../../../http/task-receipt.js';
import { stores } from '../../../support/stores.js';

const marker = 'zebrawood';
/** An agent that is linked to both workspaces. */
const agent = { 'x-service-agent': `agn_${'a'.repeat(32)}` };
const unknown = '018f0000-0000-7000-8000-00000000abcd';

/** Someone who calls: with a key, with a cookie, or with nothing. */
type Caller = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Reply>;

/** The code with which a call is refused to someone; a call that is not listed is allowed. */
type Refused = Readonly<Record<string, keyof typeof errors>>;

const noRole = { none: 'workspace_role_required' } as const;
const onlyManagers = { ...noRole, reader: 'admin_required', member: 'admin_required' } as const;
const onlyPeople = {
  key: 'user_session_required',
  'memory.read': 'user_session_required',
  'memory.write': 'user_session_required',
} as const;
const namespaces = 'namespace_management_forbidden';

/** Written down once more, and not taken from the code that it is to check. */
const mayNot: Readonly<Record<string, Refused>> = {
  'memory.read': noRole,
  'receipts.read': noRole,
  'memory.write': { ...noRole, reader: 'read_only', 'memory.read': 'insufficient_scope' },
  'submit task receipts': { ...noRole, reader: 'read_only', 'memory.read': 'insufficient_scope' },
  'export memories': { ...onlyManagers, 'memory.read': 'insufficient_scope', 'memory.write': 'insufficient_scope' },
  'export receipts': { ...onlyManagers, 'memory.read': 'insufficient_scope', 'memory.write': 'insufficient_scope' },
  'manage namespaces': {
    ...noRole,
    reader: namespaces,
    member: namespaces,
    key: namespaces,
    'memory.read': namespaces,
    'memory.write': namespaces,
  },
  'see key bindings': { ...noRole, ...onlyPeople },
  'see agents': { ...noRole, ...onlyPeople },
  'bind keys': { ...noRole, ...onlyPeople, reader: 'key_binding_forbidden', member: 'key_binding_forbidden' },
  'manage the workspace': { ...onlyManagers, ...onlyPeople },
  'manage keys': { ...onlyManagers, ...onlyPeople },
  'manage own grants': { ...noRole, ...onlyPeople },
  // The only operator is the owner, who made the first workspace.
  'see operations': {
    ...noRole,
    ...onlyPeople,
    admin: 'admin_required',
    member: 'admin_required',
    reader: 'admin_required',
  },
  'decide approvals': { ...onlyManagers, ...onlyPeople },
};

/** Bodies that would be taken, for routes whose fields are looked at before what they are about. */
const bodies: Readonly<Record<string, (ids: Readonly<Record<string, string>>) => object>> = {
  'POST /v1/memories': ({ namespace_id }) => ({ content: 'from elsewhere', namespace: namespace_id }),
  'POST /v1/ingest': ({ namespace_id }) => ({ kind: 'text', content: 'from elsewhere', namespace: namespace_id }),
  'POST /v1/memories/search': ({ namespace_id }) => ({ query: marker, namespace_ids: [namespace_id] }),
  'POST /v1/receipts': () => taskReceipt(),
  'POST /v1/receipts/:receipt_id/proof': () => ({ query: marker }),
  'POST /v1/memories/bulk-delete': ({ memory_id }) => ({ ids: [memory_id] }),
  'POST /v1/memories/delete': ({ namespace_id }) => ({ namespace_ids: [namespace_id] }),
  'PATCH /v1/namespaces/:namespace_id': () => ({ name: 'taken over' }),
  'PUT /v1/keys/:key_id/namespaces': () => ({ namespace_ids: [] }),
  'PATCH /v1/members/:member_id': () => ({ role: 'reader' }),
};

/** The members that some routes need in the query. */
const queries: Readonly<Record<string, (ids: Readonly<Record<string, string>>) => string>> = {
  '/v1/memories/unused': ({ namespace_id }) => `?namespace_id=${namespace_id}`,
};

const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`;
const codeOf = ({ status, json }: Reply): string => (status < 300 ? 'ok' : (json?.error?.code ?? json?.error));

/** The reach of callers: every route, with every kind of credential. The same on every store. */
describe.each(stores)('who reaches what on %s', () => {
  // So that a webhook can go to this machine, where no one listens.
  const people = usePeople({ ALLOW_PRIVATE_URLS: '1' });
  const callers = new Map<string, Caller>();
  const ids: Record<string, string> = {};
  let outsider: { key: Caller; owner: Person };

  beforeAll(async () => {
    const owner = people.as('owner');
    const keyed =
      (key: string): Caller =>
      (method, path, body, headers) =>
        people.service().call(method, path, body, { ...headers, authorization: `Bearer ${key}` });
    const link = (person: Person, name: string) =>
      person.call('POST', '/v1/agents', { agent_id: agent['x-service-agent'], name });
    for (const role of ['owner', 'admin', 'member', 'reader', 'none']) callers.set(role, people.as(role).call);
    callers.set('key', people.service().call);
    for (const scope of ['memory.read', 'memory.write']) {
      callers.set(scope, keyed((await people.newKey({ scopes: [scope] })).key));
    }
    const namespace = await people.namespaceNamed(`the ${marker} namespace`);
    const linked = await link(owner, 'ours');
    const hook = { webhook_url: `http://127.0.0.1:9/${marker}`, pattern: { contains: 'secret' } };
    const webhook = await owner.call('POST', '/v1/webhooks', hook, agent);
    const written = await owner.call('POST', '/v1/memories', { content: `a ${marker} secret`, namespace });
    const key = await people.newKey({ name: marker, namespace_ids: [namespace] });
    const held = await people.withKey(key.key, 'POST', '/v1/memories/bulk-delete', { ids: [written.json.memory_id] });
    const member = await owner.call('POST', '/v1/members', { email: `${marker}@example.org`, role: 'member' });
    const grant = await people.admin().grant(people.first().workspaceId, member.json.id, { namespaceIds: [namespace] });
    await people.settled();
    const memory = await owner.call('GET', `/v1/memories/${written.json.memory_id}`);
    const deliveries = await owner.call('GET', `/v1/webhooks/${webhook.json.id}/deliveries`, undefined, agent);
    Object.assign(ids, {
      link_id: linked.json.id,
      webhook_id: webhook.json.id,
      delivery_id: deliveries.json.data[0].id,
      memory_id: written.json.memory_id,
      job_id: written.json.job_id,
      namespace_id: namespace,
      key_id: key.key_id,
      receipt_id: memory.json.receipt_id,
      member_id: member.json.id,
      approval_id: held.json.error.details.approval_id,
      grant_id: grant,
    });
    const elsewhere = await people.admin().workspace();
    const foreigner = await people.admin().member(elsewhere.workspaceId, 'owner');
    outsider = { key: keyed(elsewhere.key), owner: await signedIn(people.service(), foreigner) };
    expect((await link(outsider.owner, 'theirs')).status).toBe(201);
  });

  /** The path with the ids of `from`. A route with a new kind of id must be given one above. */
  const pathOf = ({ path }: Endpoint, from: Readonly<Record<string, string>> | null): string =>
    path.replaceAll(/:(\w+)/g, (_whole, name: string) => {
      if (ids[name] === undefined) throw new Error(`there is no ${name} to try ${path} with`);
      return from?.[name] ?? unknown;
    }) + (queries[path]?.(ids) ?? '');

  // @covers AUTH-BEARER AUTH-UNSUPPORTED
  it.each(routes)('$method $path asks for a credential that is one', async (route) => {
    const path = pathOf(route, ids);
    const given = [
      [{}, 401, 'unauthorized'],
      [{ authorization: 'Bearer ak_000000000000000000000000000000000000000' }, 401, 'unauthorized'],
      [{ authorization: 'Basic YTpi' }, 401, 'unauthorized'],
      [{ authorization: `Bearer vk_${'0'.repeat(43)}` }, 403, 'credential_not_supported'],
      [{ authorization: `Bearer agk_${'0'.repeat(43)}` }, 403, 'credential_not_supported'],
      [{ cookie: 'service_session=x.y.z' }, 401, 'unauthorized'],
    ] as const;
    for (const [headers, status, code] of given) {
      const { authorization = '', ...others }: { authorization?: string; cookie?: string } = headers;
      const reply = await people.service().call(route.method, path, undefined, { authorization, ...others });
      expect([reply.status, codeOf(reply)]).toEqual([status, code]);
    }
  });

  // @covers AUTH-MATRIX ROLE-ADMIN
  it.each(routes)('$method $path is for whom it is meant', async (route) => {
    // Ids that are not there and a body that is none: who may call is notified of that, and nothing is changed.
    const path = pathOf(route, null);
    const refused = mayNot[route.access];
    if (!refused) throw new Error(`who may ${route.access} is not written down`);
    const codes = new Set<string>(Object.values(mayNot).flatMap((one) => Object.values(one)));
    for (const [name, call] of callers) {
      const code = codeOf(await call(route.method, path, route.method === 'GET' ? undefined : '['));
      expect([name, codes.has(code) ? code : 'may']).toEqual([name, refused[name] ?? 'may']);
    }
  });

  // @covers AUTH-WORKSPACES
  it('shows nothing of a workspace to another one, and changes nothing of it', async () => {
    const state = async () => {
      // The state of the service is that of no workspace, and changes from one moment to the next.
      const lists = routes.filter(
        ({ method, path, access }) => method === 'GET' && !path.includes(':') && access !== 'see operations',
      );
      return Promise.all(
        lists.map(async (route) => {
          const path = pathOf(route, ids);
          const { text } = await people.as('owner').call('GET', path, undefined, agent);
          // No one listens where the webhook goes, so it is tried again meanwhile.
          const same = text.replace(/"last_delivery_at":"[^"]+"/, '"last_delivery_at":"then"');
          return [path, same.replace(/"request_id":"[^"]+"/, '"request_id":"of this request"')];
        }),
      );
    };
    const before = await state();
    for (const route of routes) {
      const body = bodies[nameOf(route)]?.(ids) ?? (route.method === 'GET' ? undefined : {});
      for (const call of [outsider.key, outsider.owner.call]) {
        const reply = await call(route.method, pathOf(route, ids), body, agent);
        expect(reply.text, nameOf(route)).not.toContain(marker);
        const [, param] = /:(\w+)/.exec(route.path) ?? [];
        if (param !== undefined) expect([nameOf(route), reply.status < 300]).toEqual([nameOf(route), false]);
        for (const id of Object.values(ids)) expect(reply.text, nameOf(route)).not.toContain(id);
      }
    }
    expect(await state()).toEqual(before);
  });

  // @covers JOB-LIST-SCOPE AUTH-KEY-BOUND
  it('shows nothing of a namespace to a key of another one, and changes nothing of it', async () => {
    const before = (await people.as('owner').call('GET', '/v1/memories/export')).text;
    const key = (await people.newKey()).key;
    const unbound = (await people.newKey({ namespace_ids: [] })).key;
    for (const route of routes) {
      const body = bodies[nameOf(route)]?.(ids) ?? (route.method === 'GET' ? undefined : {});
      for (const one of [key, unbound]) {
        const headers = { ...agent, authorization: `Bearer ${one}` };
        const reply = await people.service().call(route.method, pathOf(route, ids), body, headers);
        expect(reply.text, nameOf(route)).not.toContain(marker);
        if (/:(memory_id|job_id|namespace_id|receipt_id|approval_id)/.test(route.path)) {
          expect([nameOf(route), reply.status >= 400]).toEqual([nameOf(route), true]);
        }
      }
    }
    expect((await people.as('owner').call('GET', '/v1/memories/export')).text).toBe(before);
  });
});
