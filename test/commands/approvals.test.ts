import { describe, expect, it } from 'vitest';
import type { AskRule } from '../../contracts/entries/entry.js';
import { bulkDelete } from '../../src/commands/bulk-delete.js';
import { changeRules } from '../../src/commands/change-rules.js';
import { deleteMemory } from '../../src/commands/delete-memory.js';
import { addMember } from '../../src/commands/members.js';
import { createNamespace } from '../../src/commands/namespaces.js';
import type { Caller } from '../../src/domain/caller.js';
import { idsAt } from '../../src/domain/id-list.js';
import { commit } from '../../src/ledger/chain.js';
import { given } from '../support/given.js';
import { asking, decide, filed, held, week, write } from './held.js';

describe('a write that a rule names', () => {
  // @covers RULE-ASK APPROVAL-ID APPROVAL-PENDING APPROVAL-NO-CONTENT ERR-approval_required
  it('is filed once, with nothing of what it would write in the chain', () => {
    const workspace = asking({ source: 'crawler' });
    const key = workspace.key();
    const first = write(workspace, key);
    const { details } = first.thenRefused('approval_required', undefined, ...filed);
    expect(details.approval_id).toMatch(/^apr_[0-9a-f]{32}$/);
    expect(JSON.stringify(first.entries)).not.toMatch(/pelican|crawler/);
    expect(first.deposits.map(({ texts }) => texts)).toEqual([{ content: expect.any(String) }, {}]);
    write(workspace, key).thenRefused('approval_required', details);
    write(workspace, key, { approvalId: String(details.approval_id) }).thenRefused('approval_required', details);
    // The same for another caller is another request.
    expect(held(workspace, workspace.key(undefined, { id: 'another key' }))).not.toBe(details.approval_id);
  });

  // @covers RULE-ASK
  it('is the one that all members of a rule fit, and no other', () => {
    const workspace = given();
    const { id } = workspace.when(createNamespace(workspace.world, workspace.person('owner'), 'work')).answer();
    const rules: readonly AskRule[] = [
      { source: 'crawler', min_bytes: 10 },
      { agent_id: 'agn_held' },
      { app_id: 'held-app' },
      { namespace_id: id },
    ];
    const set = { pause_all: false, sensitive: 'redact', ask_owner: rules } as const;
    workspace.when(changeRules(workspace.world, workspace.person('owner'), set)).answer();
    const key = workspace.key([workspace.namespaceId, id]);
    const by = (actor: Partial<Caller['actor']>) => workspace.key(undefined, actor);
    held(workspace, key, { content: '0123456789' });
    held(workspace, key, { content: 'ééééé' });
    held(workspace, by({ agent_id: 'agn_held' }), { source: null });
    held(workspace, by({ app_id: 'held-app' }), { source: null });
    held(workspace, key, { namespace: 'work', source: null });
    for (const [caller, more] of [
      [key, { content: '012345678' }],
      [key, { content: 'as long as it must be', source: 'Crawler' }],
      [key, { content: 'as long as the other', source: null }],
      [by({ agent_id: 'agn_other', app_id: 'other' }), { content: 'by another agent', source: 'other' }],
    ] as const) {
      write(workspace, caller, more).thenRecorded(['memory.write', {}]);
    }
  });

  // @covers APPROVAL-ONCE APPROVAL-EXACT APPROVAL-RECEIPT ERR-approval_invalid
  it('happens once when it was approved, exactly as it was requested', () => {
    const workspace = asking({ source: 'crawler' });
    const key = workspace.key();
    const approvalId = held(workspace, key);
    const approved = decide(workspace, workspace.person('admin', 'someone else'), approvalId);
    approved.thenRecorded(['approval', { approval_id: approvalId, decision: 'approved' }]);
    for (const change of [
      { content: 'a held pelican.' },
      { metadata: '{"a":1}' },
      { label: 'pelican.txt' },
      { playground: true },
    ]) {
      write(workspace, key, { ...change, approvalId }).thenRefused('approval_invalid');
    }
    const other = workspace.key(undefined, { id: 'another key' });
    write(workspace, other, { approvalId }).thenRefused('approval_invalid');
    write(workspace, key, { approvalId: 'apr_0' }).thenRefused('approval_invalid');
    const { memory_id } = write(workspace, key, { approvalId }).thenRecorded([
      'memory.write',
      { approval: { approval_id: approvalId } },
    ]);
    // It is there now, so the same again is no write. After a delete the approval stays used.
    expect(write(workspace, key, { approvalId }).thenRecorded().duplicate).toBe(true);
    workspace.when(deleteMemory(workspace.world, key, memory_id)).answer();
    write(workspace, key, { approvalId }).thenRefused('approval_invalid');
  });

  // @covers APPROVAL-FIELDS ERR-approval_decided ERR-approval_not_found
  it('can be decided once, within seven days, and used within them', () => {
    const workspace = asking({ source: 'crawler' });
    const key = workspace.key();
    const admin = workspace.person('admin', 'an admin');
    decide(workspace, admin, 'apr_0').thenRefused('approval_not_found');
    const rejected = held(workspace, key);
    decide(workspace, admin, rejected, 'rejected').thenRecorded(['approval', { decision: 'rejected' }]);
    for (const word of ['approved', 'rejected'] as const) {
      decide(workspace, admin, rejected, word).thenRefused('approval_decided');
    }
    write(workspace, key, { approvalId: rejected }).thenRefused('approval_invalid');
    const again = held(workspace, key);
    expect(again).not.toBe(rejected);
    decide(workspace, admin, again, 'approved', week).thenRefused('approval_decided');
    const used = held(workspace, key, { content: 'used in time' });
    decide(workspace, admin, used, 'approved', week - 1).answer();
    write(workspace, key, { content: 'used in time', approvalId: used }, week).thenRefused('approval_invalid');
    write(workspace, key, { content: 'used in time', approvalId: used }, week - 1).thenRecorded(['memory.write', {}]);
    // What has expired is requested again.
    expect(held(workspace, key, {}, week)).not.toBe(again);
  });

  // @covers APPROVAL-NOT-OWN GRANT-APPROVAL
  it('is decided by someone else, unless no one else could', () => {
    const workspace = asking({ source: 'crawler' });
    const { world } = workspace;
    const owner = workspace.person('owner');
    const added = { email: 'admin@example.org', role: 'admin', passwordHash: '', isReserved: false } as const;
    const { id } = workspace.when(addMember(world, owner, added)).answer();
    const admin = workspace.person('admin', id);
    const ofAdmin = held(workspace, admin);
    decide(workspace, admin, ofAdmin).thenRefused('admin_required');
    decide(workspace, admin, ofAdmin, 'rejected').thenRefused('admin_required');
    const ofKey = held(workspace, workspace.key(undefined, { user_id: id }));
    decide(workspace, admin, ofKey).thenRefused('admin_required');
    const grant = { type: 'grant', id: 'a grant', user_id: id, via: 'mcp' } as const;
    const ofGrant = held(workspace, workspace.key(undefined, grant));
    decide(workspace, admin, ofGrant).thenRefused('admin_required');
    decide(workspace, admin, ofGrant, 'rejected').thenRefused('admin_required');
    decide(workspace, owner, ofGrant).answer();
    const ofAgent = held(workspace, workspace.key(undefined, { type: 'agent_key', id: 'of an agent', via: 'mcp' }));
    decide(workspace, admin, ofAgent).answer();
    decide(workspace, owner, ofAdmin).answer();
    const mine = { ...grant, user_id: owner.actor.id };
    decide(
      workspace,
      owner,
      held(workspace, workspace.key(undefined, mine), { content: 'asked with a grant' }),
    ).answer();
    const ofOwner = held(workspace, owner, { content: 'of the only owner' });
    decide(workspace, owner, ofOwner).answer();
    const second = { email: 'second@example.org', role: 'owner', passwordHash: '', isReserved: false } as const;
    const { id: other } = workspace.when(addMember(world, owner, second)).answer();
    const ofOne = held(workspace, owner, { content: 'of one of two owners' });
    decide(workspace, owner, ofOne).thenRefused('admin_required');
    decide(workspace, workspace.person('owner', other), ofOne).answer();
  });
});

describe('a bulk delete', () => {
  function filled() {
    const workspace = given();
    const key = workspace.key();
    const ids = ['a', 'b', 'c'].map((content) => write(workspace, key, { content }).answer().memory_id);
    const ask = (caller: Caller, asked: readonly string[], receipt?: string) =>
      workspace.when(bulkDelete(workspace.world, caller, asked, receipt));
    const approve = (id: string) => decide(workspace, workspace.person('owner'), id).answer().receipt_id;
    return { workspace, key, ids, ask, approve };
  }

  // @covers ERR-approval_required ERR-approval_invalid
  it('is held always, and deletes all of what was approved in any order, once', () => {
    const { workspace, key, ids, ask, approve } = filled();
    const noOne = '00000000-0000-7000-8000-00000000eeee';
    const asked = [...ids, noOne];
    const first = ask(key, asked);
    const id = String(first.thenRefused('approval_required', undefined, 'approval.requested').details.approval_id);
    const [entry] = first.entries;
    const [deposit] = first.deposits;
    if (!deposit) throw new Error('nothing was filed');
    const { salt, texts } = deposit;
    expect(idsAt(texts.content ?? '', 0, 5)).toEqual(asked.toSorted().toReversed());
    expect(entry?.body).toMatchObject({
      summary: 'Delete 4 memories, 3 of which there are now.',
      selected: { count: 4, ids_commitment: commit(salt, texts.content ?? '') },
    });
    for (const one of asked) expect(JSON.stringify(entry)).not.toContain(one);
    ask(key, asked.toReversed()).thenRefused('approval_required', { approval_id: id });
    ask(key, asked, 'rcp_0').thenRefused('approval_invalid');
    const receipt = approve(id);
    ask(key, ids, receipt).thenRefused('approval_invalid');
    ask(workspace.key(undefined, { id: 'another key' }), asked, receipt).thenRefused('approval_invalid');
    const done = ask(key, asked.toReversed(), receipt).thenRecorded(
      ...ids.toReversed().map((memory_id) => ['memory.delete', { memory_id, approval: { approval_id: id } }] as const),
    );
    expect(done.not_found).toEqual([noOne]);
    expect(done.deleted.map((one) => one.id)).toEqual(ids.toReversed());
    ask(key, asked, receipt).thenRefused('approval_invalid');
  });

  it('deletes nothing when one of the memories is out of reach', () => {
    const { workspace, key, ids, ask, approve } = filled();
    const { details } = ask(key, ids).thenRefused('approval_required', undefined, 'approval.requested');
    const receipt = approve(String(details.approval_id));
    const elsewhere = workspace.key(['00000000-0000-7000-8000-00000000ffff']);
    ask(elsewhere, ids, receipt).thenRefused('memory_out_of_scope');
    ask(elsewhere, ids).thenRefused('memory_out_of_scope');
    expect(workspace.state().memories.size).toBe(3);
  });
});
