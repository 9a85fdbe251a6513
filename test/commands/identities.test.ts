import { describe, expect, it } from 'vitest';
import { linkAgent } from '../../src/commands/agents.js';
import { issueIdentity } from '../../src/commands/issue-identity.js';
import { given, givenRegistry } from '../support/given.js';

const binding = {
  agent_name: 'Bot',
  public_key: 'z6MktwupdmLXVVqTzCw4i46r4uGyosGXRnR3XjN4Zq7oMMsw',
  vendor: 'Acme',
};
const agn_id = 'agn_wh5r7zwyel7xyuz4j7rqih3h7wfowjjs';
const proof = { challenge: 'c', signature: 's' };

describe('an identity', () => {
  // @covers IDENTITY-ISSUE
  it('is issued once for its binding, no matter what else is issued', () => {
    const { world, when } = givenRegistry();
    const issue = (change: Partial<typeof binding> = {}) => when(issueIdentity(world, { ...binding, ...change }, null));
    const first = issue().thenRecorded(['identity.issued', { agn_id, binding }]);
    expect(first).toEqual({ agentId: agn_id, created: true });
    expect(issue().thenRecorded()).toEqual({ agentId: agn_id, created: false });
    issue({ vendor: 'Other' }).thenRecorded(['identity.issued', { binding: { ...binding, vendor: 'Other' } }]);
    issue({ agent_name: 'bot' }).thenRecorded(['identity.issued', {}]);
    issue().thenRecorded();
  });

  // @covers IDENTITY-VERIFIED
  it('is verified once, with its issuance or later', () => {
    const { world, when } = givenRegistry();
    const other = { ...binding, vendor: 'Other' };
    const issue = (one: typeof other, withProof: boolean) => when(issueIdentity(world, one, withProof ? proof : null));
    issue(binding, true).thenRecorded(['identity.issued', { agn_id }], ['identity.verified', { agn_id, proof }]);
    issue(binding, true).thenRecorded();
    issue(other, false).thenRecorded(['identity.issued', {}]);
    const later = issue(other, true).thenRecorded(['identity.verified', { proof }]);
    expect(later.created).toBe(false);
    issue(other, true).thenRecorded();
  });
});

describe('a link of a handle', () => {
  const opened = () => {
    const workspace = given();
    const link = (agent_id: string, handle: string | null, vendor?: string) =>
      workspace.when(
        linkAgent(
          workspace.world,
          workspace.person('owner'),
          { agent_id, name: null, handle, proved: vendor === undefined ? null : { proof, vendor } },
          'hash',
        ),
      );
    return { workspace, link };
  };

  // @covers LINK-PROVED LINK-UNPROVED
  it('records its proof and the vendor of the identity, and without a proof neither', () => {
    const { workspace, link } = opened();
    link(agn_id, '@bot', 'Acme').thenRecorded([
      'agent.linked',
      { agent_id: agn_id, handle: '@bot', proof, vendor: 'Acme' },
    ]);
    expect(workspace.state().handles.get('@bot')).toMatchObject({ agentId: agn_id, vendor: 'Acme' });
    const [entry] = link('agn_b', '@other').entries;
    expect(Object.keys(entry?.body ?? {}).sort()).toEqual([
      'agent_id',
      'handle',
      'link_id',
      'name',
      'token_commitment',
    ]);
    expect(workspace.state().handles.has('@other')).toBe(false);
    const [plain] = link('agn_c', null).entries;
    expect(Object.keys(plain?.body ?? {})).not.toContain('handle');
  });

  // @covers LINK-ONE-HANDLE ERR-agent_exists
  it('takes a handle that no other identity has', () => {
    const { link } = opened();
    link(agn_id, '@bot').answer();
    link('agn_b', '@bot', 'Acme').thenRefused('agent_exists');
    link(agn_id, '@second').thenRefused('agent_exists');
    link('agn_b', null).answer();
    link('agn_c', null).answer();
  });
});
