import { rules, rulesChanged, rulesIn } from '../../../contracts/rules.js';
import { rulesOf } from '../../../projections/account/queries.js';
import { changeRules } from '../../commands/change-rules.js';
import { endpoint } from '../operation.js';

export const rulesEndpoint = endpoint({
  method: 'GET',
  path: '/v1/rules',
  summary: 'What the workspace demands of writes',
  access: 'manage the workspace',
  query: {},
  body: {},
  answers: { 200: rules },
  refusals: [],
  async handle({ caller }, { read }) {
    return { status: 200, body: (await read((tx) => rulesOf(tx, caller.workspaceId))).rules };
  },
});

export const rulesChangeEndpoint = endpoint({
  method: 'PUT',
  path: '/v1/rules',
  summary:
    'Pause every agent, refuse sensitive values instead of redacting them, or hold writes until they are approved',
  access: 'manage the workspace',
  counted: 'write',
  query: {},
  body: rulesIn,
  answers: { 200: rulesChanged },
  refusals: [
    'invalid_json',
    'invalid_request',
    'admin_required',
    'namespace_not_found',
    'namespace_deleted',
    'receipt_unavailable',
  ],
  async handle({ caller, body }, { run, read, world }) {
    const receipt_id = await run(caller.workspaceId, changeRules(world, caller, body));
    const { rules: now } = await read((tx) => rulesOf(tx, caller.workspaceId));
    return { status: 200, body: { ...now, receipt_id } };
  },
});
