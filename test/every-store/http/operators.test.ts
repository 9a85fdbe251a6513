import { beforeAll, describe, expect, it } from 'vitest';
import { packageVersion } from '../../../src/base/version.js';
import { code, usePeople } from '../../http/people.js';
import { type Person, signedIn } from '../../http/person.js';
import { stores } from '../../support/stores.js';

const path = '/v1/operations';
const password = 'a password that was chosen';

type People = ReturnType<typeof usePeople>;

/** The owner of another workspace. */
async function outsiderOf(people: People): Promise<{ owner: Person; workspaceId: string }> {
  const { workspaceId } = await people.admin().workspace();
  return { owner: await signedIn(people.service(), await people.admin().member(workspaceId, 'owner')), workspaceId };
}

const isOperator = async (person: Person) => {
  const [session, state] = [await person.call('GET', '/v1/session'), await person.call('GET', path)];
  expect(code(state)).toEqual(session.json.operator ? [200, null] : [403, 'admin_required']);
  return session.json.operator;
};

describe.each(stores)('without OPERATORS on %s', () => {
  const people = usePeople();

  it('the owners of the workspace of the first start see the state of the service', async () => {
    const { status, json, headers } = await people.as('owner').call('GET', path);
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(json).toMatchObject({
      status: 'ready',
      missing: [],
      warnings: expect.any(Array),
      versions: { service: packageVersion(), node: process.version, database: expect.stringMatching(/^\d+\./) },
      log: { leaves: expect.any(Number), failing_steps: expect.any(Array) },
      engines: expect.any(Array),
    });
    expect(await isOperator(people.as('owner'))).toBe(true);
  });

  it('other people and keys do not', async () => {
    for (const role of ['admin', 'member', 'reader'])
      expect([role, await isOperator(people.as(role))]).toEqual([role, false]);
    expect(code(await people.as('none').call('GET', path))).toEqual([403, 'workspace_role_required']);
    expect(code(await people.service().call('GET', path))).toEqual([403, 'user_session_required']);
    expect(code(await people.service().call('GET', path, undefined, { authorization: '' }))).toEqual([
      401,
      'unauthorized',
    ]);
    expect(await isOperator((await outsiderOf(people)).owner)).toBe(false);
  });

  it('an owner of the first workspace sees it in the session of another workspace, and no longer when unmade', async () => {
    const { owner, workspaceId } = await outsiderOf(people);
    const { email } = (await owner.call('GET', '/v1/session')).json.user;
    const { id } = (await people.as('owner').call('POST', '/v1/members', { email, role: 'owner' })).json;
    expect((await owner.call('GET', '/v1/session')).json.workspace.id).toBe(workspaceId);
    expect(await isOperator(owner)).toBe(true);
    await people.as('owner').call('PATCH', `/v1/members/${id}`, { role: 'admin' });
    expect(await isOperator(owner)).toBe(false);
  });
});

describe.each(stores)('with OPERATORS on %s', () => {
  const people = usePeople({ OPERATORS: 'Ops@Example.org, second@example.org' });
  const ops = { email: 'OPS@example.ORG', password };
  let outsider: Awaited<ReturnType<typeof outsiderOf>>;
  beforeAll(async () => {
    outsider = await outsiderOf(people);
  });
  const add = (by: Person, email: string) => by.call('POST', '/v1/members', { email, role: 'admin', password });

  it('no administrator of another workspace makes the account of an operator', async () => {
    for (const email of ['ops@example.org', 'OPS@EXAMPLE.ORG', 'Second@example.org']) {
      const refused = await add(outsider.owner, email);
      expect([email, ...code(refused)]).toEqual([email, 403, 'admin_required']);
      expect(refused.json.error.message).toContain('operator of the service');
    }
    expect((await outsider.owner.call('GET', '/v1/members')).text).not.toMatch(/ops@|second@/i);
    expect(code(await add(outsider.owner, 'ada@example.org'))).toEqual([201, null]);
  });

  it('the first workspace makes it, and the person it names is an operator in every workspace', async () => {
    expect(await isOperator(people.as('owner'))).toBe(false);
    expect(code(await add(people.as('owner'), ops.email))).toEqual([201, null]);
    const operator = await signedIn(people.service(), ops);
    expect(await isOperator(operator)).toBe(true);
    // The account exists now, so its password stays what it is.
    const added = await outsider.owner.call('POST', '/v1/members', {
      email: ops.email,
      role: 'owner',
      password: 'a password of the outsider',
    });
    expect([added.status, added.json.password]).toEqual([201, null]);
    await operator.call('PUT', '/v1/session', { workspace_id: outsider.workspaceId });
    expect(await isOperator(operator)).toBe(true);
    expect(code(await add(operator, 'second@example.org'))).toEqual([201, null]);
  });
});
