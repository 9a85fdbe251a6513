import { describe, expect, it } from 'vitest';
import { linkAgent, unlinkAgent } from '../../src/commands/agents.js';
import { linkErc8004, unlinkErc8004 } from '../../src/commands/erc8004.js';
import type { Erc8004Consent } from '../../src/commands/state/erc8004-links.js';
import { consentOf } from '../ethereum/links.js';
import { given } from '../support/given.js';

const agnId = (letter: string): string => `agn_${letter.repeat(32)}`;
const proved = { proof: { challenge: 'of the service', signature: 'of the key' }, vendor: null };

function opened() {
  const workspace = given();
  const { world } = workspace;
  const owner = workspace.person('owner');
  const agent = (letter: string, isProved = true) => {
    const made = { agent_id: agnId(letter), name: null, handle: `@agent-${letter}`, proved: isProved ? proved : null };
    return workspace.when(linkAgent(world, owner, made, 'hash of a token')).answer().id;
  };
  const link = (id: string, consent: Erc8004Consent) => workspace.when(linkErc8004(world, owner, id, consent));
  const unlink = (id: string) => workspace.when(unlinkErc8004(world, owner, id));
  const leave = (id: string) => workspace.when(unlinkAgent(world, owner, id));
  return { workspace, agent, link, unlink, leave };
}

describe('the link of an agent to an agent of ERC-8004', () => {
  // @covers ERC-LINK ERC-LINK-REPEATED
  it('is an entry with the account that agreed, and a repetition changes nothing', () => {
    const { agent, link } = opened();
    const id = agent('a');
    const made = link(id, consentOf('22')).thenRecorded([
      'agent.erc8004_linked',
      {
        link_id: id,
        agn_id: agnId('a'),
        chain_id: 31_337,
        registry: consentOf('22').registry,
        agent_id: '22',
        proof: 'owner',
        account: consentOf('22').account,
      },
    ]);
    expect(link(id, consentOf('22')).thenRecorded()).toEqual(made);
  });

  // @covers ERC-LINK-REPLACED
  it('is replaced by another agent, another registry and another consent', () => {
    const { workspace, agent, link } = opened();
    const id = agent('a');
    link(id, consentOf('1')).answer();
    const others = [
      consentOf('2'),
      consentOf('2', { registry: `0x${'7'.repeat(40)}` }),
      consentOf('2', { chainId: 1 }),
      consentOf('2', { chainId: 1, account: `0x${'5'.repeat(40)}` }),
      consentOf('2', { chainId: 1, proof: 'registration', account: null }),
    ];
    for (const consent of others) {
      link(id, consent).thenRecorded(['agent.erc8004_linked', { agent_id: '2', chain_id: consent.chainId }]);
      expect([...workspace.state().erc8004Links.values()]).toMatchObject([{ linkId: id, ...consent }]);
    }
  });

  // @covers ERC-LINK-PROVED
  it('needs an agent that is linked with a proof', () => {
    const { agent, link } = opened();
    expect(link(agent('a', false), consentOf('1')).thenRefused('invalid_proof').message).toMatch(/without a proof/);
    link('no one', consentOf('1')).thenRefused('agent_not_found');
  });

  // @covers ERC-LINK-ONE
  it('is one for each agent of ERC-8004 in a workspace', () => {
    const { agent, link, unlink } = opened();
    const [first, second] = [agent('a'), agent('b')];
    link(first, consentOf('1')).answer();
    expect(link(second, consentOf('1')).thenRefused('agent_exists').message).toContain(agnId('a'));
    link(second, consentOf('1', { registry: `0x${'7'.repeat(40)}` })).answer();
    unlink(first).answer();
    link(second, consentOf('1')).thenRecorded(['agent.erc8004_linked', { agn_id: agnId('b') }]);
  });

  // @covers ERC-UNLINK
  it('ends alone, or with the link of the agent to the workspace', () => {
    const { workspace, agent, link, unlink, leave } = opened();
    const [id, other] = [agent('a'), agent('b')];
    unlink(id).thenRefused('agent_not_found');
    link(id, consentOf('1')).answer();
    link(other, consentOf('2')).answer();
    unlink(id).thenRecorded(['agent.erc8004_unlinked', { link_id: id, agn_id: agnId('a') }]);
    unlink(id).thenRefused('agent_not_found');
    leave(id).thenRecorded(['agent.unlinked', { link_id: id }]);
    leave(other).thenRecorded(
      ['agent.erc8004_unlinked', { link_id: other, agn_id: agnId('b') }],
      ['agent.unlinked', { link_id: other }],
    );
    expect([...workspace.state().erc8004Links.values()]).toEqual([]);
    unlink(other).thenRefused('agent_not_found');
  });
});
