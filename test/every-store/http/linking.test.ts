import { describe, expect, it } from 'vitest';
import { agentIdOf } from '../../../src/domain/identity/binding.js';
import { agentProof, linkProof } from '../../../src/domain/identity/proof.js';
import { type Holder, holderKinds, newHolder } from '../../domain/identity/holder.js';
import { code, usePeople } from '../../http/people.js';
import { stores } from '../../support/stores.js';

/** Links of handles to identities with a proof of the identity's key. The same on every store. */
describe.each(stores)('links with proof on %s', () => {
  const people = usePeople();
  let made = 0;
  const newHandle = () => {
    made += 1;
    return `@bot-${made}`;
  };
  const link = (body: object, headers: Record<string, string> = {}) =>
    people.as('owner').call('POST', '/v1/agents', body, headers);
  const issue = (body: object) => people.service().call('POST', '/v1/agent-id', body);
  const newChallenge = async (): Promise<string> =>
    (await people.service().call('GET', '/v1/agent-id/challenge')).json.challenge;
  const workspaceId = () => people.first().workspaceId;

  /** An identity that was issued for a new key. */
  const identity = async (vendor: string | null = null, holder: Holder = newHolder('Ed25519')) => {
    const agent_id = agentIdOf({ agent_name: null, public_key: holder.bound, vendor });
    expect((await issue({ public_key: holder.publicKey, vendor })).json.agn_id).toBe(agent_id);
    const proofOf = (message: (challenge: string) => Uint8Array, challenge: string) => ({
      challenge,
      signature: holder.sign(message(challenge)),
    });
    const forLink = async (handle: string, workspace = workspaceId(), challenge?: string) =>
      proofOf((one) => linkProof(agent_id, one, workspace, handle), challenge ?? (await newChallenge()));
    return { agent_id, holder, proofOf, forLink };
  };

  // @covers LINK-PROVED
  it.each(holderKinds)('are made by a signature of the key of %s over workspace and handle', async (kind) => {
    const { agent_id, forLink } = await identity('Acme', newHolder(kind));
    const handle = newHandle();
    const { status, json } = await link({ agent_id, handle, name: 'Bot', proof: await forLink(handle) });
    expect(status).toBe(201);
    expect(json).toMatchObject({ agent_id, handle, name: 'Bot', proved: true });
    expect(json.token).toMatch(/^agt_/);
    const { json: list } = await people.as('owner').call('GET', '/v1/agents');
    expect(list.data[0]).toMatchObject({ id: json.id, agent_id, handle, proved: true });
    const { json: receipt } = await people.as('owner').call('GET', `/v1/receipts/${json.receipt_id}`);
    expect(receipt.body).toMatchObject({ agent_id, handle, vendor: 'Acme' });
  });

  // @covers LINK-UNPROVED
  it('without a proof the link is shown as not proved, with a handle or without', async () => {
    const { agent_id } = await identity();
    const handle = newHandle();
    const { json } = await link({ agent_id, handle });
    expect(json).toMatchObject({ handle, proved: false });
    const other = await link({ agent_id: `agn_${'c'.repeat(32)}` });
    expect([other.status, other.json.handle, other.json.proved]).toEqual([201, null, false]);
    for (const wrong of ['bot', '@', '@a', '@Bot', `@${'a'.repeat(33)}`, '@a b', 7])
      expect(code(await link({ agent_id: `agn_${'d'.repeat(32)}`, handle: wrong }))).toEqual([400, 'invalid_request']);
  });

  // @covers LINK-PROOF ERR-invalid_proof
  it('a proof for anything else proves nothing, and uses up no challenge', async () => {
    const { agent_id, holder, proofOf, forLink } = await identity();
    const [thief, unknown] = [await identity(), newHolder('Ed25519')];
    const handle = newHandle();
    const challenge = await newChallenge();
    const { workspaceId: otherWorkspace } = await people.admin().workspace();
    const wrong: [string, object][] = [
      ['another key', { ...(await thief.forLink(handle, workspaceId(), challenge)) }],
      ['another handle', await forLink('@other', workspaceId(), challenge)],
      ['another workspace', await forLink(handle, otherWorkspace, challenge)],
      ['a proof of the identity', proofOf((one) => agentProof(agent_id, one), challenge)],
      ['another challenge', { ...(await forLink(handle)), challenge }],
      ['a signature of nothing', { challenge, signature: holder.sign(new Uint8Array()) }],
      ['no signature', { challenge }],
    ];
    for (const [why, proof] of wrong)
      expect([why, ...code(await link({ agent_id, handle, proof }))]).toEqual([why, 400, 'invalid_proof']);
    const never = agentIdOf({ agent_name: null, public_key: unknown.bound, vendor: null });
    const unissued = { challenge, signature: unknown.sign(linkProof(never, challenge, workspaceId(), handle)) };
    expect(code(await link({ agent_id: never, handle, proof: unissued }))).toEqual([400, 'invalid_proof']);
    const good = await forLink(handle, workspaceId(), challenge);
    expect(code(await link({ agent_id, proof: good }))).toEqual([400, 'invalid_request']);
    expect((await link({ agent_id, handle, proof: good })).status).toBe(201);
  });

  // @covers LINK-PROOF
  it('a proof of a link does not verify the identity', async () => {
    const { agent_id, holder, forLink } = await identity();
    const proof = await forLink(newHandle());
    expect(code(await issue({ public_key: holder.publicKey, proof }))).toEqual([400, 'invalid_proof']);
    const { json } = await people.service().call('GET', `/v1/agent-id?id=${agent_id}`);
    expect(json.status).toBe('issued');
  });

  // @covers IDENTITY-CHALLENGE ERR-challenge_expired
  it('a challenge is used once, whether for an identity or for a link', async () => {
    const { agent_id, holder, proofOf, forLink } = await identity();
    const handle = newHandle();
    const challenge = await newChallenge();
    const own = proofOf((one) => agentProof(agent_id, one), challenge);
    expect((await issue({ public_key: holder.publicKey, proof: own })).json.record.status).toBe('verified');
    const replayed = await forLink(handle, workspaceId(), challenge);
    expect(code(await link({ agent_id, handle, proof: replayed }))).toEqual([400, 'challenge_expired']);
    const fresh = await forLink(handle);
    const { json } = await link({ agent_id, handle, proof: fresh });
    await people.as('owner').call('DELETE', `/v1/agents/${json.id}`);
    expect(code(await link({ agent_id, handle, proof: fresh }))).toEqual([400, 'challenge_expired']);
  });

  // @covers IDENTITY-CHALLENGE
  it('a challenge ends after ten minutes', async () => {
    const { agent_id, forLink } = await identity();
    const handle = newHandle();
    const [early, late] = [await forLink(handle), await forLink('@late')];
    people.ahead(9.9 * 60_000);
    expect((await link({ agent_id, handle, proof: early })).status).toBe(201);
    people.ahead(10.1 * 60_000);
    expect(code(await link({ agent_id, handle: '@late', proof: late }))).toEqual([400, 'challenge_expired']);
    people.ahead(0);
  });

  // @covers LINK-REPEATED
  it('repeated under its Idempotency-Key, a link is the same link', async () => {
    const { agent_id, forLink } = await identity();
    const handle = newHandle();
    const body = { agent_id, handle, proof: await forLink(handle) };
    const headers = { 'idempotency-key': 'one-link' };
    const replies = await Promise.all([link(body, headers), link(body, headers)]);
    expect(replies.map(({ status }) => status)).toEqual([201, 201]);
    expect(new Set(replies.map(({ json }) => json.id)).size).toBe(1);
    expect((await link(body, headers)).json.id).toBe(replies[0]?.json.id);
    expect(code(await link(body))).toEqual([400, 'challenge_expired']);
  });

  // @covers LINK-ONE-HANDLE ERR-agent_exists
  it('a handle belongs to one identity of a workspace, and an identity has one handle', async () => {
    const [first, second] = [await identity(), await identity()];
    const handle = newHandle();
    const { json } = await link({ agent_id: first.agent_id, handle, proof: await first.forLink(handle) });
    const other = { agent_id: second.agent_id, handle };
    expect(code(await link(other))).toEqual([409, 'agent_exists']);
    expect(code(await link({ ...other, proof: await second.forLink(handle) }))).toEqual([409, 'agent_exists']);
    expect(code(await link({ agent_id: first.agent_id, handle: newHandle() }))).toEqual([409, 'agent_exists']);
    await people.as('owner').call('DELETE', `/v1/agents/${json.id}`);
    expect((await link({ ...other, proof: await second.forLink(handle) })).status).toBe(201);
  });
});
