import { Refusal } from '../../../contracts/errors.js';
import {
  memberAdded,
  memberChanged,
  memberChangeIn,
  memberIn,
  memberList,
  memberRemoved,
} from '../../../contracts/members.js';
import { peopleByEmail } from '../../../projections/account/people.js';
import { type MemberListed, membersOf } from '../../../projections/account/queries.js';
import { isUuid } from '../../base/world.js';
import {
  addMember,
  changeMember,
  type MemberAdded,
  PersonLeft,
  removeMember,
  requireAddable,
} from '../../commands/members.js';
import { answeredBefore, answering, once as onlyOnce } from '../../commands/once.js';
import { base62Text } from '../../domain/secrets.js';
import { operation } from '../operation.js';
import { samples } from '../samples.js';

const exampleGrace = { id: samples.otherPerson, email: 'grace@example.org', role: 'member', created_at: samples.at };

export const memberListOperation = operation({
  method: 'GET',
  path: '/v1/members',
  summary: 'The people of the workspace, in the order in which they were added',
  access: 'manage the workspace',
  answers: { 200: memberList },
  refusals: [],
  documentation: {
    id: 'listMembers',
    answers: {
      200: {
        description: 'The complete list.',
        body: {
          data: [{ id: samples.person, email: 'ada@example.org', role: 'owner', created_at: samples.at }, exampleGrace],
        },
      },
    },
  },
  async handle({ caller }, { reading: { read } }) {
    const rows = await read((tx) => membersOf(tx, caller.workspaceId));
    return { status: 200, body: { data: rows.map(memberShape) } };
  },
});

export const memberAddOperation = operation({
  method: 'POST',
  path: '/v1/members',
  summary: 'Add a person; a generated password is shown once, and a password from another workspace stays',
  access: 'manage the workspace',
  counted: 'write',
  body: memberIn,
  answers: { 201: memberAdded },
  refusals: [
    'invalid_json',
    'invalid_request',
    'admin_required',
    'member_exists',
    'plan_people_limit',
    'receipt_unavailable',
  ],
  documentation: {
    id: 'addMember',
    body: 'MemberIn',
    request: { email: 'grace@example.org', role: 'member' },
    answers: {
      201: {
        description: 'The person, with the generated password: it is shown once.',
        body: { ...exampleGrace, receipt_id: samples.receipt, password: 'pX7nWq2LkT9sVb4RzC1m' },
      },
    },
  },
  async handle(
    { caller, body: { email, role, password }, once },
    { reading: { read }, writing: { run, world }, access: { passwords, operators } },
  ) {
    const made = base62Text(20);
    const isReserved = await read((tx) => operators.reserve(tx, email, caller));
    const add = async (isKnown: boolean) => {
      const passwordHash = isKnown ? null : await passwords.hash(caller.workspaceId, password ?? made);
      let joined: MemberAdded | undefined;
      // The answer that is stored for a repetition is on disk, where no password may be.
      const command = answering(addMember(world, caller, { email, role, passwordHash, isReserved }), (one) => {
        joined = one;
        return { status: 201, body: { ...shapeOf(one), password: null } };
      });
      const answer = await run(
        caller.workspaceId,
        onlyOnce(command, once, {
          receipts: (own) => own,
          members: ['email'],
        }),
      );
      if (!joined || joined.hadPassword || password !== undefined) return answer;
      return { status: 201, body: { ...shapeOf(joined), password: made } } as const;
    };
    // Neither a repetition nor what will be refused is worth a password's hash.
    const { before, known } = await read(async (tx) => {
      const answered = await answeredBefore(tx, caller.workspaceId, once, world.now());
      if (!answered) await requireAddable(tx, caller, { email, role, isReserved }, world.now());
      return { before: answered, known: (await peopleByEmail(tx, email)).length > 0 };
    });
    if (before) return before;
    return add(known).catch((error) => {
      if (error instanceof PersonLeft) return add(false);
      throw error;
    });
  },
});

export const memberChangeOperation = operation({
  method: 'PATCH',
  path: '/v1/members/:member_id',
  summary: 'Change the role of a person',
  access: 'manage the workspace',
  counted: 'write',
  body: memberChangeIn,
  answers: { 200: memberChanged },
  refusals: [
    'invalid_json',
    'invalid_request',
    'member_not_found',
    'admin_required',
    'last_owner',
    'plan_people_limit',
    'receipt_unavailable',
  ],
  documentation: {
    id: 'changeMember',
    body: 'MemberChangeIn',
    request: { role: 'reader' },
    answers: {
      200: {
        description: 'The person in the new role.',
        body: { ...exampleGrace, role: 'reader', receipt_id: samples.receipt },
      },
    },
  },
  async handle({ caller, params, body }, { reading: { read }, writing: { run, world } }) {
    const id = idOf(params);
    const receipt_id = await run(caller.workspaceId, changeMember(world, caller, id, body.role));
    const row = (await read((tx) => membersOf(tx, caller.workspaceId))).find((one) => one.id === id);
    if (!row) throw new Refusal('member_not_found');
    return { status: 200, body: { ...memberShape(row), receipt_id } };
  },
});

export const memberRemoveOperation = operation({
  method: 'DELETE',
  path: '/v1/members/:member_id',
  summary: 'Remove a person from the workspace, and end the sessions of that person in it',
  access: 'manage the workspace',
  counted: 'write',
  answers: { 200: memberRemoved },
  refusals: ['member_not_found', 'admin_required', 'last_owner', 'receipt_unavailable'],
  documentation: {
    id: 'removeMember',
    answers: {
      200: {
        description: 'The person was removed.',
        body: { id: samples.otherPerson, removed: true, receipt_id: samples.receipt },
      },
    },
  },
  async handle({ caller, params }, { writing: { run, world }, access: { people } }) {
    const id = idOf(params);
    const receipt_id = await people.removing(id, () => run(caller.workspaceId, removeMember(world, caller, id)));
    return { status: 200, body: { id, removed: true, receipt_id } };
  },
});

function idOf({ member_id: id = '' }: Readonly<Record<string, string>>): string {
  if (!isUuid(id)) throw new Refusal('member_not_found');
  return id.toLowerCase();
}

function shapeOf({ hadPassword: _, ...rest }: MemberAdded) {
  return rest;
}

function memberShape({ receipt_id: _, ...rest }: MemberListed) {
  return rest;
}
