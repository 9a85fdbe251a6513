import { Wallet } from 'ethers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentIdOf } from '../../../src/domain/identity/binding.js';
import { linkProof } from '../../../src/domain/identity/proof.js';
import { newHolder } from '../../domain/identity/holder.js';
import { fundedKeys } from '../../ethereum/anvil.js';
import { startErc8004Chain } from '../../ethereum/erc8004-chain.js';
import { addressOf } from '../../ethereum/registries/deploy.js';
import { type Person, signedIn } from '../../http/person.js';
import { type Service, startService } from '../../http/service.js';
import { type Reader, recordedAt, signedInReader } from '../../pages/reader.js';

const ada = { email: 'ada@example.org', password: 'a password of the owner' };
const chain = await startErc8004Chain();
const { registries, anvil, settings } = chain;
afterAll(() => chain.stop());
const [, , holderOfAgent, other] = fundedKeys;

describe('the page of the link to ERC-8004', () => {
  let service: Service;
  let person: Person;
  let owner: Reader;
  beforeAll(async () => {
    service = await startService({ OWNER_EMAIL: ada.email, OWNER_PASSWORD: ada.password, ...settings });
    person = await signedIn(service, ada);
    owner = await signedInReader(service, ada);
  });
  afterAll(() => service.stop());

  /** An agent that is linked to the workspace with a proof. */
  async function proved(handle: string) {
    const holder = newHolder('Ed25519');
    const agnId = agentIdOf({ agent_name: null, public_key: holder.bound, vendor: null });
    await service.call('POST', '/v1/agent-id', { public_key: holder.publicKey });
    const { challenge } = (await service.call('GET', '/v1/agent-id/challenge')).json;
    const { workspace } = (await person.call('GET', '/v1/session')).json;
    const signature = holder.sign(linkProof(agnId, challenge, workspace.id, handle));
    const body = { agent_id: agnId, handle, proof: { challenge, signature } };
    const { id } = (await person.call('POST', '/v1/agents', body)).json;
    return { id, agnId, agent: `/agents/${id}`, path: `/agents/${id}/erc8004` };
  }
  const newest = async () => (await person.call('GET', '/v1/receipts?limit=1')).json.data[0].kind;

  it('shows the text to sign, links by the signature, and ends the link', async () => {
    const { id, agnId, agent, path } = await proved('@by-signature');
    const before = await owner.get(agent);
    expect(before.text).toContain('It is linked to no agent of an ERC-8004 registry');
    expect(before.text).toContain(`href="${path}">Link it to ERC-8004`);
    const asking = await owner.get(path);
    expect([asking.status, asking.text.includes('By a signature')]).toEqual([200, false]);
    const number = await registries.register(holderOfAgent);
    const signing = await owner.get(`${path}?number=${number}`);
    const text = `counterfoil erc8004 link ${agnId} eip155:${anvil.chainId}:${registries.identityAddress}:${number}`;
    expect(signing.text).toContain(`<code>${text}</code>`);
    // The signature of another account: a sentence, and what was typed.
    const wrong = await new Wallet(other).signMessage(text);
    const from = `${path}?number=${number}`;
    const refused = await owner.send(from, path, { number, signature: wrong, do: 'sign' });
    expect([refused.status, refused.text.includes(wrong)]).toEqual([400, true]);
    expect(refused.text).toContain('role="alert"');
    const signature = await new Wallet(holderOfAgent).signMessage(text);
    const linked = await owner.send(from, path, { number, signature, do: 'sign' });
    expect([linked.status, linked.headers.get('location')]).toEqual([303, recordedAt(agent)]);
    const shown = (await owner.get(agent)).text;
    expect(shown).toContain(`number <code>${number}</code>`);
    expect(shown).toContain(`<code>${registries.identityAddress}</code>`);
    expect(shown).toContain(`<code>eip155:${anvil.chainId}</code>`);
    expect(shown).toContain(addressOf(holderOfAgent));
    expect(shown).toContain(`/v1/agent-id/${agnId}/registration.json`);
    const stale = await owner.post(path, { token: 'x', do: 'end' });
    expect([stale.status, (await person.call('GET', `/v1/agents/${id}/erc8004`)).status]).toEqual([403, 200]);
    const ended = await owner.send(path, path, { do: 'end' });
    expect([ended.status, ended.headers.get('location')]).toEqual([303, recordedAt(agent)]);
    expect([await newest(), (await person.call('GET', `/v1/agents/${id}/erc8004`)).status]).toEqual([
      'agent.erc8004_unlinked',
      404,
    ]);
  });

  it('links by the registration file, and says why a number has no agent', async () => {
    const { agnId, agent, path } = await proved('@by-file');
    const file = Buffer.from(JSON.stringify({ counterfoil: agnId })).toString('base64');
    const number = await registries.register(holderOfAgent, `data:application/json;base64,${file}`);
    const none = await owner.send(`${path}?number=99999999`, path, { number: '99999999', do: 'file' });
    expect([none.status, none.text.includes('has no agent 99999999')]).toEqual([400, true]);
    const linked = await owner.send(`${path}?number=${number}`, path, { number, do: 'file' });
    expect([linked.status, linked.headers.get('location')]).toEqual([303, recordedAt(agent)]);
    expect((await owner.get(agent)).text).toContain('the registration file of the agent there');
  });

  it('has no form for an agent without a proof, for an odd number, and for members', async () => {
    const body = { agent_id: 'agn_mfrggzdfmztwq2lknnwg23tpobyxe43u', name: 'Robin' };
    const { id } = (await person.call('POST', '/v1/agents', body)).json;
    const unproved = await owner.get(`/agents/${id}/erc8004?number=1`);
    expect(unproved.text).toContain('Only an agent that is linked with a proof');
    expect(unproved.text).not.toContain('By a signature');
    const { path } = await proved('@odd');
    for (const odd of ['-1', '1.5', 'x', '9'.repeat(79), '%3Cscript%3E'])
      expect([odd, (await owner.get(`${path}?number=${odd}`)).text.includes('By a signature')]).toEqual([odd, false]);
    const { json } = await person.call('POST', '/v1/members', { email: 'm@example.org', role: 'member' });
    const member = await signedInReader(service, { email: 'm@example.org', password: json.password });
    expect((await member.get(path)).status).toBe(403);
    expect((await member.get('/agents/not-an-id/erc8004')).status).toBe(403);
    expect((await owner.get('/agents/not-an-id/erc8004')).status).toBe(404);
  });
});

describe('the same page without registries', () => {
  it('says that the service has none, and has no form', async () => {
    const service = await startService({ OWNER_EMAIL: ada.email, OWNER_PASSWORD: ada.password });
    const person = await signedIn(service, ada);
    const body = { agent_id: 'agn_mfrggzdfmztwq2lknnwg23tpobyxe43u', name: 'Robin' };
    const { id } = (await person.call('POST', '/v1/agents', body)).json;
    const owner = await signedInReader(service, ada);
    for (const path of [`/agents/${id}`, `/agents/${id}/erc8004?number=1`]) {
      const { status, text } = await owner.get(path);
      expect([path, status, text.includes('connected to no registry of ERC-8004')]).toEqual([path, 200, true]);
      expect(text).not.toMatch(/By a signature|0x[0-9a-f]{40}/);
    }
    await service.stop();
  });
});
