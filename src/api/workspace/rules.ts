import { rules, rulesChanged, rulesIn } from '../../../contracts/rules.js';
import { rulesOf } from '../../../projections/account/queries.js';
import { changeRules } from '../../commands/change-rules.js';
import { operation } from '../operation.js';
import { samples } from '../samples.js';

const exampleRules = { pause_all: false, sensitive: 'redact', ask_owner: [] };

export const rulesOperation = operation({
  method: 'GET',
  path: '/v1/rules',
  summary: 'What the workspace demands of writes',
  access: 'manage the workspace',
  answers: { 200: rules },
  refusals: [],
  documentation: { id: 'getRules', answers: { 200: { body: exampleRules } } },
  async handle({ caller }, { reading: { read } }) {
    return { status: 200, body: (await read((tx) => rulesOf(tx, caller.workspaceId))).rules };
  },
});

export const rulesChangeOperation = operation({
  method: 'PUT',
  path: '/v1/rules',
  summary:
    'Pause every agent, refuse sensitive values instead of redacting them, or hold writes until they are approved',
  access: 'manage the workspace',
  counted: 'write',
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
  documentation: {
    id: 'setRules',
    body: 'RulesIn',
    description: 'Sets all rules together. Only the owner pauses or resumes agents.',
    request: { pause_all: true, sensitive: 'redact' },
    answers: {
      200: {
        description: 'The rules as they are now.',
        body: { ...exampleRules, pause_all: true, receipt_id: samples.receipt },
      },
    },
  },
  async handle({ caller, body }, { reading: { read }, writing: { run, world } }) {
    const receipt_id = await run(caller.workspaceId, changeRules(world, caller, body));
    const { rules: now } = await read((tx) => rulesOf(tx, caller.workspaceId));
    return { status: 200, body: { ...now, receipt_id } };
  },
});
