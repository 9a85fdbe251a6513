import { rules, rulesChanged, rulesIn } from '../../contracts/rules.js';
import { rulesOf } from '../../projections/account/queries.js';
import { changeRules } from '../commands/change-rules.js';
import { endpoint } from './endpoint.js';

export const rulesEndpoint = endpoint({
  method: 'GET',
  path: '/v1/rules',
  summary: 'What the workspace asks of writes',
  access: 'manage the workspace',
  query: {},
  body: {},
  answers: { 200: rules },
  refusals: [],
  async handle({ caller }, { read }) {
    const { pause_all, sensitive } = await read((tx) => rulesOf(tx, caller.workspaceId));
    return { status: 200, body: { pause_all, sensitive, ask_owner: [] } };
  },
});

export const rulesChangeEndpoint = endpoint({
  method: 'PUT',
  path: '/v1/rules',
  summary: 'Pause every agent, or refuse sensitive values instead of redacting them',
  access: 'manage the workspace',
  counted: 'write',
  query: {},
  body: rulesIn,
  strict: true,
  answers: { 200: rulesChanged },
  refusals: ['invalid_json', 'unknown_field', 'invalid_request', 'admin_required', 'receipt_unavailable'],
  async handle({ caller, body: { pause_all, sensitive } }, { run, world }) {
    const receipt_id = await run(caller.workspaceId, changeRules(world, caller, { pause_all, sensitive }));
    return { status: 200, body: { pause_all, sensitive, ask_owner: [], receipt_id } };
  },
});
