import type { Binding } from '../../../contracts/entries/registry.js';
import { identityIssued, identityRecord } from '../../../contracts/identities.js';
import { callAs } from '../../api/call.js';
import { identityListOperation } from '../../api/identities/identities.js';
import { identityIssueOperation } from '../../api/identities/issue.js';
import { textsToSign } from '../../api/identities/to-prove.js';
import { read } from '../ask.js';
import type { PageParts, PersonRequest } from '../page.js';

/** Issues an identity, with the second signature of the form where there is one. @returns its identifier. @throws Refusal as the API does */
export async function issued(binding: Binding, { form, client }: PersonRequest, parts: PageParts): Promise<string> {
  const { agentId } = textsToSign(binding, { workspaceId: '', handle: '' }, { link: '', identity: '' });
  const proof = { challenge: form.one('own_challenge'), signature: form.one('own_signature').trim() };
  const looked = await callAs({ anybody: true }, identityListOperation, { client, query: { id: agentId } }, parts);
  const { status } = read(identityRecord, looked);
  // A form that is sent again finds its identity verified, and the challenge of its second signature used up.
  const proves = proof.signature !== '' && status !== 'verified';
  if (status !== 'unverified' && !proves) return agentId;
  const body = JSON.stringify({ ...binding, ...(proves && { proof }) });
  const answer = await callAs({ anybody: true }, identityIssueOperation, { client, body }, parts);
  return read(identityIssued, answer).agn_id;
}
