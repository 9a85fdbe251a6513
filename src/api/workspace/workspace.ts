import { Refusal } from '../../../contracts/errors.js';
import { workspace, workspaceIn } from '../../../contracts/workspace.js';
import { workspaceById } from '../../../projections/account/queries.js';
import { changeWorkspace } from '../../commands/change-workspace.js';
import { operation } from '../operation.js';
import { samples } from '../samples.js';
import type { Services } from '../services.js';

const exampleWorkspace = {
  id: samples.workspace,
  name: 'Lisbon office',
  plan: 'enterprise',
  created_at: samples.at,
  publish_task_receipts: false,
  public_tag: samples.publicTag,
};

export const workspaceOperation = operation({
  method: 'GET',
  path: '/v1/workspace',
  summary: 'The workspace',
  access: 'manage the workspace',
  answers: { 200: workspace },
  refusals: [],
  documentation: { id: 'getWorkspace', answers: { 200: { description: 'The workspace.', body: exampleWorkspace } } },
  async handle({ caller }, services) {
    return { status: 200, body: await workspaceShape(services, caller.workspaceId) };
  },
});

export const workspaceChangeOperation = operation({
  method: 'PATCH',
  path: '/v1/workspace',
  summary: 'Rename the workspace, or publish its task receipts',
  access: 'manage the workspace',
  counted: 'write',
  body: workspaceIn,
  answers: { 200: workspace },
  refusals: ['invalid_json', 'invalid_name', 'invalid_request', 'receipt_unavailable'],
  documentation: {
    id: 'changeWorkspace',
    body: 'WorkspaceIn',
    description: 'Changes the members that the body names. Each switch of publish_task_receipts is a receipt.',
    request: { name: 'Porto office', publish_task_receipts: true },
    answers: {
      200: {
        description: 'The workspace as it is now.',
        body: { ...exampleWorkspace, name: 'Porto office', publish_task_receipts: true },
      },
    },
  },
  async handle({ caller, body }, services) {
    const { run, world } = services.writing;
    if (body.name === undefined && body.publish_task_receipts === undefined) {
      throw new Refusal('invalid_name', 'The body names neither name nor publish_task_receipts.');
    }
    await run(caller.workspaceId, changeWorkspace(world, services.receipts.tags, caller, body));
    return { status: 200, body: await workspaceShape(services, caller.workspaceId) };
  },
});

async function workspaceShape({ reading: { read }, receipts: { tags } }: Services, id: string) {
  const { name, plan, created_at, publish_task_receipts } = await read((tx) => workspaceById(tx, id));
  return { id, name, plan, created_at, publish_task_receipts, public_tag: tags.workspace(id) };
}
