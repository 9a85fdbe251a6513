import { attestationKey, attestationKeyDeleted, attestationKeyList } from '../../../contracts/attestation-keys.js';
import { Refusal } from '../../../contracts/errors.js';
import { workspace as workspaceShape } from '../../../contracts/workspace.js';
import {
  attestationKeyAddOperation,
  attestationKeyListOperation,
  attestationKeyRemoveOperation,
} from '../../api/attestation-keys/attestation-keys.js';
import { workspaceChangeOperation, workspaceOperation } from '../../api/workspace/workspace.js';
import { ask } from '../ask.js';
import { problem, sentenceOf } from '../components/messages.js';
import { pageTop } from '../components/page-top.js';
import { html } from '../html.js';
import { pageQuery } from '../lists.js';
import type { PageParts, PersonPage, PersonRequest, Shown } from '../page.js';
import { attestationPart, exportPart, namePart, publishingPart } from './parts.js';

const settingsPath = '/settings';

/** The name of the workspace, what it publishes, whose attestations it believes, and the way out with everything. */
export const settingsPage: PersonPage = {
  path: settingsPath,
  access: 'a person',
  writesNothing: true,
  show: (request, parts) => settings(request, parts, null),
  async submit(request, parts) {
    try {
      await carryOut(request, parts);
      return { location: settingsPath };
    } catch (error) {
      if (error instanceof Refusal && error.status < 500) return settings(request, parts, error);
      throw error;
    }
  },
};

/** @throws Refusal as the API does */
async function carryOut(request: PersonRequest, parts: PageParts): Promise<void> {
  const { form } = request;
  const change = (members: object) =>
    ask(workspaceShape, workspaceChangeOperation, request, { body: JSON.stringify(members) }, parts);
  switch (form.one('do')) {
    case 'rename':
      await change({ name: form.one('name') });
      return;
    case 'publish':
      await change({ publish_task_receipts: true });
      return;
    case 'stop':
      await change({ publish_task_receipts: false });
      return;
    case 'add': {
      const name = form.one('key_name');
      const body = JSON.stringify({ public_key: keyIn(form.one('public_key')), ...(name !== '' && { name }) });
      await ask(attestationKey, attestationKeyAddOperation, request, { body }, parts);
      return;
    }
    case 'remove': {
      const params = { key_id: form.one('key_id') };
      await ask(attestationKeyDeleted, attestationKeyRemoveOperation, request, { params }, parts);
      return;
    }
    default:
      throw new Refusal('invalid_request', 'This form names no change.');
  }
}

/** A key may be pasted as a JWK, which the API takes as an object. */
function keyIn(text: string): unknown {
  const pasted = text.trim();
  if (!pasted.startsWith('{')) return pasted;
  try {
    return JSON.parse(pasted);
  } catch {
    return pasted;
  }
}

async function settings(request: PersonRequest, parts: PageParts, refusal: Refusal | null): Promise<Shown> {
  const workspace = await ask(workspaceShape, workspaceOperation, request, {}, parts);
  const query = { ...pageQuery(request), limit: '100' };
  const keys = await ask(attestationKeyList, attestationKeyListOperation, request, { query }, parts);
  return {
    status: refusal?.status ?? 200,
    title: 'Settings',
    main: html`${pageTop({ title: 'Settings' })}
${problem(refusal && sentenceOf(refusal))}
${namePart(workspace, request)}
${publishingPart(workspace, request)}
${attestationPart(keys, request)}
${exportPart(parts.memoryApi)}`,
  };
}
