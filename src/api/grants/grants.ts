import { Refusal } from '../../../contracts/errors.js';
import { grantList, grantListQuery, grantRevoked } from '../../../contracts/grants.js';
import { type GrantListed, grantsOfWorkspace } from '../../../projections/grants/queries.js';
import { isGrantId, revokeGrant } from '../../commands/grants.js';
import { lastOf } from '../input.js';
import { type Operation, operation } from '../operation.js';
import { samples } from '../samples.js';

const exampleGrant = {
  id: samples.grant,
  client_id: 'c7Qm2Zr9KxV4tB8nYw1L',
  client_name: 'Desk of the archivist',
  redirect_host: 'desk.example.org',
  agent_id: 'agn_mfrggzdfmztwq2lknnwg23tpobyxe43u',
  scopes: ['mcp:tools', 'memory.read'],
  namespace_ids: [samples.namespace],
  person: { id: samples.person, email: 'ada@example.org' },
  created_at: samples.at,
  expires_at: '2026-06-12T09:26:53.589Z',
  last_used_at: samples.later,
};

export const grantListOperation = operation({
  method: 'GET',
  path: '/v1/grants',
  summary: 'The OAuth clients that people allow to use the workspace, newest first',
  access: 'manage own grants',
  query: grantListQuery,
  answers: { 200: grantList },
  refusals: ['invalid_cursor', 'invalid_request'],
  documentation: {
    id: 'listGrants',
    description: 'Owners and admins see the grants of all people, others their own.',
    answers: { 200: { description: 'A page of grants.', body: { data: [exampleGrant], next_cursor: null } } },
  },
  async handle(
    { caller: { workspaceId, actor, role }, query: { limit, cursor } },
    { reading: { read, cursors, now } },
  ) {
    const memberId = role === 'owner' || role === 'admin' ? null : actor.id;
    const bound = [workspaceId, memberId];
    const before = cursor === undefined ? null : cursors.open('grants', bound, cursor);
    const filter = { memberId, now: now() };
    const rows = await read((tx) => grantsOfWorkspace(tx, workspaceId, filter, before, limit + 1));
    const page = rows.slice(0, limit);
    const last = rows.length > limit ? lastOf(page) : undefined;
    const next_cursor = last ? cursors.seal('grants', bound, last.receipt_id) : null;
    return { status: 200, body: { data: page.map(grantShape), next_cursor } };
  },
});

export const grantRevokeOperation = operation({
  method: 'DELETE',
  path: '/v1/grants/:grant_id',
  summary: 'End a grant: its client is refused with the next call',
  access: 'manage own grants',
  counted: 'write',
  answers: { 200: grantRevoked },
  refusals: ['grant_not_found', 'receipt_unavailable'],
  documentation: {
    id: 'revokeGrant',
    description: 'Owners and admins end the grants of all people, others their own.',
    answers: {
      200: {
        description: 'The grant has ended.',
        body: { id: samples.grant, revoked: true, receipt_id: samples.receipt },
      },
    },
  },
  async handle({ caller, params: { grant_id: id = '' } }, { writing: { run, world } }) {
    if (!isGrantId(id)) throw new Refusal('grant_not_found');
    return { status: 200, body: await run(caller.workspaceId, revokeGrant(world, caller, id, 'person')) };
  },
});

function grantShape({ member_id, email, receipt_id: _, ...rest }: GrantListed) {
  return { ...rest, person: { id: member_id, email } };
}

export const grantOperations: readonly Operation[] = [grantListOperation, grantRevokeOperation];
