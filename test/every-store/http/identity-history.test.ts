import { describe, expect, it } from 'vitest';
import { agentIdOf } from '../../../src/domain/identity/binding.js';
import { linkProof } from '../../../src/domain/identity/proof.js';
import { attestedBytes } from '../../../src/domain/task/attestations.js';
import { canonical } from '../../../src/verifier/canonical.js';
import { base64url, compact, raw, signer } from '../../domain/signers.js';
import { usePeople } from '../../http/people.js';
import { taskReceipt } from '../../http/task-receipt.js';
import { stores } from '../../support/stores.js';

/** The part of the records of identities that comes from public task receipts. The same on every store. */
describe.each(stores)('records of identities on %s', () => {
  const people = usePeople();
  const agent_handle = '@biller';

  const recordOf = async (id: string) => (await people.service().call('GET', `/v1/agent-id?id=${id}`)).json;
  const publish = (publish_task_receipts: boolean) =>
    people.as('admin').call('PATCH', '/v1/workspace', { publish_task_receipts });
  const submit = async (more: object) => {
    const receipt = taskReceipt({ agent_handle, private_note: 'for us alone', ...more });
    expect((await people.service().call('POST', '/v1/receipts', receipt)).status).toBe(201);
    return receipt;
  };
  const market = (more: object) => ({ market: { schema: 'counterfoil-market/1', ...more } });

  // @covers IDENTITY-HISTORY-LINKED FACT-FIXED
  it('show public tasks of the handle from the proof of the link until its end, and no others', async () => {
    const robot = await signer('Ed25519', '');
    const { publicKey } = robot.known;
    const agent_id = agentIdOf({ agent_name: null, public_key: publicKey, vendor: 'Acme' });
    await people.service().call('POST', '/v1/agent-id', { public_key: publicKey, vendor: 'Acme' });
    const empty = await recordOf(agent_id);
    await publish(true);
    await submit({});
    const { challenge } = (await people.service().call('GET', '/v1/agent-id/challenge')).json;
    const message = linkProof(agent_id, challenge, people.first().workspaceId, agent_handle);
    const proof = { challenge, signature: base64url(raw(robot, message)) };
    const link = await people.as('admin').call('POST', '/v1/agents', { agent_id, handle: agent_handle, proof });
    const reviewed = { started_at: '2026-02-01T00:00:00Z', ended_at: '2026-02-01T00:00:07.1239Z' };
    await submit({ ...reviewed, ...market({ capability: 'code-review' }), declared_scope: [], tool_calls: [] });
    await submit({ status: 'error', declared_scope: [], tool_calls: [{ tool: 'x', ok: true }] });
    const dispute = {
      case_id: 'case-1',
      tier: 'panel',
      claim_type: 'late',
      claimant: 'Acme',
      respondent: agent_handle,
    };
    await submit({
      status: 'policy_blocked',
      ...market({ dispute: { ...dispute, status: 'open', opened_at: '2026-02-01T00:00:00Z' } }),
    });
    const signed = taskReceipt({ agent_handle });
    const attestations = [{ type: 'jws', jws: compact(robot, { alg: 'EdDSA' }, attestedBytes(canonical(signed))) }];
    const { json } = await people.service().call('POST', '/v1/receipts', { ...signed, attestations });
    await publish(false);
    await submit(market({ capability: 'search' }));
    await publish(true);
    await people.as('admin').call('DELETE', `/v1/agents/${link.json.id}`);
    await submit(market({ capability: 'search' }));

    const { attestation_chain: chain, ...shown } = await recordOf(agent_id);
    expect(shown).toMatchObject({
      handle: agent_handle,
      capability_registry: [
        {
          capability: 'code-review',
          symbol: 'CODE.REVIEW',
          tasks: 1,
          first_seen: '2026-02-01T00:00:07.123Z',
          last_seen: '2026-02-01T00:00:07.123Z',
        },
      ],
      operating_history: {
        first_seen: '2026-01-15T11:59:30.000Z',
        last_seen: '2026-02-01T00:00:07.123Z',
        tasks: 4,
        success_rate: 0.666667,
        scope_violation_rate: 0.25,
        months: [
          { month: '2026-01', tasks: 3, success_rate: 0.5 },
          { month: '2026-02', tasks: 1, success_rate: 1 },
        ],
        disputes: { won: 0, lost: 0, open: 1 },
      },
    });
    expect(chain).toEqual([
      ...empty.attestation_chain,
      {
        type: 'jws',
        at: expect.stringMatching(/Z$/),
        issuer: agent_id,
        hash: json.data[0].receipt_hash,
        verified: true,
      },
    ]);
    const text = JSON.stringify(await people.service().call('GET', '/v1/agent-id'));
    for (const hidden of ['for us alone', 'private_note', signed.receipt_id, people.first().workspaceId]) {
      expect(text).not.toContain(hidden);
    }
  });
});
