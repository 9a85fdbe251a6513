import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { NodeFailed } from '../../src/adapters/ethereum/node.js';
import type { AgentRegistries } from '../../src/adapters/ethereum/registries.js';
import { NotAllowed, type PublicFetch, TooLarge, Unavailable } from '../../src/adapters/public-fetch.js';
import { packageRoot } from '../../src/base/package-root.js';
import { createErc8004 } from '../../src/commands/erc8004-consent.js';
import { linkSigner } from '../../src/domain/erc8004/link.js';
import { namesIdentity } from '../../src/domain/erc8004/registration-file.js';

const agnId = `agn_${'a'.repeat(32)}`;
const client = `0x${'c'.repeat(40)}`;
const owner = `0x${'0'.repeat(39)}1`;
const file = (value: unknown) => `data:application/json,${JSON.stringify(value)}`;

/** Agreement by a registration file, where the chain and the network answer as these say. */
function byFile(uri: string | null, more: Partial<AgentRegistries> = {}, fetchPublic: PublicFetch = notAsked) {
  const registries: AgentRegistries = {
    chainId: 1,
    identity: `0x${'1'.repeat(40)}`,
    reputation: `0x${'2'.repeat(40)}`,
    fault: async () => null,
    agent: async () => ({ owner, wallet: null }),
    agentUri: async () => uri,
    actsFor: async (who) => who === owner,
    ...more,
  };
  return createErc8004({ registries, fetchPublic, client })
    .consent(agnId, '7', { registration: true })
    .then(
      ({ proof }) => proof,
      ({ code }) => code,
    );
}

const notAsked: PublicFetch = async () => {
  throw new Error('nothing may be fetched');
};
const answering =
  (status: number, text: string): PublicFetch =>
  async (url, { redirects, maxBytes }) => {
    expect([redirects, maxBytes]).toEqual([0, 65_536]);
    return { status, url: url.href, contentType: 'application/json', body: Buffer.from(text) };
  };
const failing =
  (error: Error): PublicFetch =>
  async () => {
    throw error;
  };

describe('the agreement of an agent of ERC-8004', () => {
  // @covers ERC-LINK-FILE
  it('is in a file at a data or an https address, and nowhere else', async () => {
    const good = { counterfoil: agnId };
    const text = JSON.stringify(good);
    expect(await byFile(file(good))).toBe('registration');
    expect(await byFile(`data:application/json;charset=utf-8,${encodeURIComponent(text)}`)).toBe('registration');
    expect(await byFile(`data:application/json;base64,${Buffer.from(text).toString('base64')}`)).toBe('registration');
    expect(await byFile(file({ ...good, share: '100%' }))).toBe('registration');
    expect(await byFile('https://agents.example/7.json', {}, answering(200, text))).toBe('registration');
    expect(await byFile('https://agents.example/7.json', {}, answering(302, text))).toBe('fetch_failed');
    for (const uri of ['http://agents.example/7.json', 'ipfs://bafk', 'file:///etc/passwd', '', 'agents', text, null]) {
      expect([uri, await byFile(uri)]).toEqual([uri, 'invalid_proof']);
    }
    for (const wrong of ['data:application/json,{', file([good]), file({ counterfoil: [` ${agnId}`] }), file(null)]) {
      expect([wrong, await byFile(wrong)]).toEqual([wrong, 'invalid_proof']);
    }
    expect(await byFile(`${file(good)}${' '.repeat(65_536)}`)).toBe('invalid_proof');
  });

  // @covers ERC-LINK-FILE
  it('is not looked for where the network may not be asked, or fails', async () => {
    const at = (error: Error) => byFile('https://agents.example/7.json', {}, failing(error));
    expect(await at(new NotAllowed('The address is private.'))).toBe('url_not_allowed');
    expect(await at(new TooLarge(65_537, 65_536))).toBe('invalid_proof');
    expect(await at(new Unavailable('it does not answer'))).toBe('fetch_failed');
  });

  // @covers ERC-LINK-OWN ERC-LINK-AWAY
  it('is of an agent that exists, that is not our own, on registries that are those of the settings', async () => {
    const good = file({ counterfoil: agnId });
    expect(await byFile(good, { agent: async () => null })).toBe('invalid_request');
    expect(await byFile(good, { actsFor: async () => true })).toBe('invalid_proof');
    expect(await byFile(good, { fault: async () => 'ERC8004_IDENTITY is wrong.' })).toBe('not_ready');
    const away = async () => {
      throw new NodeFailed('unavailable', 'it does not answer');
    };
    for (const part of ['fault', 'agent', 'agentUri', 'actsFor'])
      expect(await byFile(good, { [part]: away })).toBe('not_ready');
  });

  // @covers ERC-LINK-SIGNATURE
  it('is signed as the example of the guide', () => {
    const guide = readFileSync(join(packageRoot, 'docs/guides/erc8004.md'), 'utf8');
    const [, agnOf = '', chainId = '', registry = '', agentId = '', signature = ''] =
      /^text {7}counterfoil erc8004 link (agn_\w{32}) eip155:(\d+):(0x\w{40}):(\d+)\nsignature {2}(0x\w{130})$/m.exec(
        guide,
      ) ?? [];
    const agent = { chainId: Number(chainId), registry, agentId };
    expect(linkSigner(agnOf, agent, signature)).toBe('0x70997970c51812dc3a010c7d01b50e0d17dc79c8');
    const others = [
      { ...agent, chainId: 5 },
      { ...agent, agentId: '2' },
      { ...agent, registry: `0x${'1'.repeat(40)}` },
    ];
    for (const other of others) expect(linkSigner(agnOf, other, signature)).not.toContain('0x7099');
  });

  it('names the identity as a member or as a service, exactly', () => {
    const service = { name: 'Counterfoil', endpoint: agnId };
    const named = [
      { counterfoil: agnId },
      { counterfoil: ['x', agnId] },
      { services: [7, service] },
      { endpoints: [service] },
    ];
    expect(named.filter((one) => !namesIdentity(one, agnId))).toEqual([]);
    const others = [
      agnId,
      [agnId],
      {},
      { counterfoil: { agnId } },
      { services: service },
      { services: [{ name: 'MCP', endpoint: agnId }] },
      { services: [{ ...service, endpoint: `${agnId}x` }] },
      { registrations: [{ agentId: agnId }] },
    ];
    expect(others.filter((one) => namesIdentity(one, agnId))).toEqual([]);
  });
});
