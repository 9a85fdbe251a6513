import { describe, expect, it } from 'vitest';
import { decidersAmong } from '../../src/domain/approval.js';
import { approvalMail } from '../../src/domain/approval-mail.js';

const asked = {
  id: 'apr_0190c7a2',
  notice: 'waiting',
  workspace: 'Lisbon office',
  requester: { type: 'key', name: 'crawler' },
  agent: null,
  summary: 'Write a memory of 20 bytes to the namespace default.',
  expiresAt: '2026-03-14T21:26:53.589Z',
  baseUrl: 'https://memory.example.org',
} as const;

describe('the e-mail about an approval', () => {
  // @covers APPROVAL-MAIL-TEXT
  it('says who asks, what, until when and where', () => {
    const { subject, text } = approvalMail(asked);
    expect(subject).toBe('Approval needed in "Lisbon office"');
    expect(text).toContain('Asked by: the API key "crawler"\n');
    expect(text).toContain('Request:  Write a memory of 20 bytes to the namespace default.\n');
    expect(text).toContain('Expires:  2026-03-14T21:26:53.589Z\n');
    expect(text).toContain('Decide:   https://memory.example.org/approvals/apr_0190c7a2\n');
    const ending = approvalMail({ ...asked, notice: 'ending', agent: 'agn_1' });
    expect(ending.subject).toBe('Approval in "Lisbon office" expires soon');
    expect(ending.text).toContain('Asked by: the API key "crawler" for the agent "agn_1"\n');
  });

  it('has no line and no link that a name brings in', () => {
    const hostile = 'x\r\nBcc: eve@example.org\n\nDecide:   https://evil.example/\u202e\u2028\u0000\u200b';
    const { subject, text } = approvalMail({
      ...asked,
      workspace: hostile,
      requester: { type: 'grant', name: hostile },
      agent: hostile,
      summary: hostile.repeat(100),
    });
    expect(subject).not.toMatch(/[\r\n]/);
    expect(subject + text.replaceAll('\n', '')).not.toMatch(/[\p{C}\u2028\u2029]/u);
    expect(text.match(/:\/\//g)).toHaveLength(1);
    expect(text.split('\n')).toHaveLength(approvalMail(asked).text.split('\n').length);
    expect(text.length).toBeLessThan(2500);
  });
});

describe('the people who may decide', () => {
  it('are owners and admins, but for the requester who is not the only owner', () => {
    const members = [
      { id: 'owner', role: 'owner' },
      { id: 'admin', role: 'admin' },
      { id: 'member', role: 'member' },
    ] as const;
    const ids = (by: string | null, more: readonly { id: string; role: 'owner' }[] = []) =>
      decidersAmong([...members, ...more], by).map(({ id }) => id);
    expect(ids(null)).toEqual(['owner', 'admin']);
    expect(ids('member')).toEqual(['owner', 'admin']);
    expect(ids('admin')).toEqual(['owner']);
    expect(ids('owner')).toEqual(['owner', 'admin']);
    expect(ids('owner', [{ id: 'second', role: 'owner' }])).toEqual(['admin', 'second']);
  });
});
