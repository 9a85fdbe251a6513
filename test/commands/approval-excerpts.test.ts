import { describe, expect, it } from 'vitest';
import { erasedBy } from '../../contracts/entries/catalogue.js';
import type { NewMemory } from '../../src/commands/add-memory.js';
import { endApproval } from '../../src/commands/approvals.js';
import { commit } from '../../src/ledger/chain.js';
import { asking, decide, filed, held, week, write } from './held.js';

describe('the excerpt of a held write', () => {
  // @covers APPROVAL-EXCERPT
  it('shows those who decide the beginning, size, source and keys until the decision', () => {
    const workspace = asking({ source: 'crawler' });
    const content = `${'harbour '.repeat(40)}pelican`;
    const more = { content, metadata: '{"zone":"b","berth":[1]}' };
    const first = write(workspace, workspace.key(), more);
    const id = String(first.thenRefused('approval_required', undefined, ...filed).details.approval_id);
    const [shown] = first.deposits;
    expect(JSON.parse(shown?.texts.content ?? '')).toEqual({
      excerpt: `${content.slice(0, 280)}…`,
      bytes: 327,
      source: 'crawler',
      metadata_keys: ['berth', 'zone'],
    });
    const [kept, requested] = first.entries;
    expect(kept?.body).toMatchObject({
      excerpt_commitment: commit(shown?.salt ?? new Uint8Array(), shown?.texts.content ?? ''),
    });
    const decided = decide(workspace, workspace.person('owner'), id);
    decided.thenRecorded(['approval', { excerpt_receipt_id: kept?.receipt_id }]);
    expect(decided.entries.flatMap(erasedBy)).toEqual([kept?.receipt_id]);
    const rejected = held(workspace, workspace.key(), { content: 'another pelican' });
    const refused = decide(workspace, workspace.person('owner'), rejected, 'rejected');
    expect(refused.entries.flatMap(erasedBy)).toHaveLength(2);
    expect(requested?.kind).toBe('approval.requested');
  });

  // @covers APPROVAL-EXCERPT
  it('loses its excerpt when it expires without a decision, and nothing when it was decided', () => {
    const workspace = asking({ source: 'crawler' });
    const { world } = workspace;
    const id = held(workspace, workspace.key());
    workspace.when(endApproval(world, id), week - 1).thenRecorded();
    const end = workspace.when(endApproval(world, id), week);
    end.thenRecorded(['approval.ended', { approval_id: id, reason: 'expired' }]);
    expect(end.entries.flatMap(erasedBy)).toHaveLength(2);
    workspace.when(endApproval(world, id), week).thenRecorded();
    const decided = held(workspace, workspace.key(), { content: 'decided' });
    decide(workspace, workspace.person('owner'), decided).answer();
    workspace.when(endApproval(world, decided), week).thenRecorded();
  });

  // @covers APPROVAL-EXCERPT APPROVAL-EXACT
  it('is refused with the parts that differ from what was approved', () => {
    const workspace = asking({ source: 'crawler' }, { source: 'walker' });
    const key = workspace.key();
    const content = `${'harbour '.repeat(40)}pelican`;
    const approvalId = held(workspace, key, { content, metadata: '{"berth":1}' });
    decide(workspace, workspace.person('owner'), approvalId).answer();
    const as = (more: Partial<NewMemory>) => {
      const sent = { content, metadata: '{"berth":1}', approvalId, ...more };
      const { details, message } = write(workspace, key, sent).thenRefused('approval_invalid');
      return { differs: details.differs, message };
    };
    expect(as({ content: `${content}s` })).toEqual({
      differs: ['bytes'],
      message: 'This approval is for another request. This differs: its length (328 bytes, and 327 were approved).',
    });
    expect(as({ content: content.replace('harbour', 'Harbour') }).differs).toEqual(['beginning']);
    expect(as({ source: 'walker', metadata: '{"Berth":1}' }).differs).toEqual(['source', 'metadata_keys']);
    expect(as({ content: content.replace('pelican', 'penguin') }).differs).toEqual(['other']);
    expect(as({ metadata: '{"berth":2}' }).differs).toEqual(['other']);
    // Another key would learn from the parts which of its guesses are right.
    const other = write(workspace, workspace.key(undefined, { id: 'another key' }), { source: 'walker', approvalId });
    expect(other.thenRefused('approval_invalid').details).toEqual({});
    write(workspace, key, { content, metadata: '{"berth":1}', approvalId }).thenRecorded(['memory.write', {}]);
  });
});
