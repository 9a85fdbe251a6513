import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Unlinked } from '../../../../contracts/entries/entry.js';
import { realWorld as world } from '../../../../src/base/world.js';
import { deleteMemory } from '../../../../src/commands/delete-memory.js';
import { answering, once } from '../../../../src/commands/once.js';
import { recordRecall } from '../../../../src/commands/search.js';
import type { Caller } from '../../../../src/domain/caller.js';
import { follow as checkLink, genesisBytes, genesisHead, type Head, link } from '../../../../src/ledger/chain.js';
import { readLinks } from '../../../../src/ledger/entries.js';
import { type Commit, type Growth, type Ledger, maxEntryBytes, NotAppended } from '../../../../src/ledger/ledger.js';
import { createSettledTimes } from '../../../../src/ledger/settled.js';
import { fsck } from '../../../../src/maintenance/fsck.js';
import { decided, writes } from '../../../ledger/decided.js';
import { engines, type OpenLedger } from '../../../ledger/engines.js';
import { models, newStore, type Store } from '../../../maintenance/store.js';
import { stores } from '../../../support/stores.js';

describe.each(stores)('on %s', () => {
  describe.each(engines)('the contract of the ledger, with $name', ({ create }) => {
    let store: Store;
    let open: OpenLedger;
    let ledger: Ledger;
    let caller: Caller;
    beforeAll(async () => {
      open = await create();
      store = await newStore(open);
      ledger = open(store.database);
    });
    beforeEach(async () => {
      caller = await store.openWorkspace();
    });
    afterAll(() => store.close());

    const head = async (): Promise<Head> => (await decided(store, caller, [])).head;
    const contents = async () => (await vault()).map(({ content }) => content).toSorted();
    const vault = () =>
      store.sql<{ content: string }>(
        `select v.content from vault v join receipts r on r.receipt_id = v.receipt_id
          where r.workspace_id = $1 and r.kind = 'memory.write'`,
        [caller.workspaceId],
      );

    it('a chain stays as it was begun, with its tag key', async () => {
      const chain = world.id();
      const [genesis, other] = [
        genesisBytes(chain, '2026-01-01T00:00:00.000Z'),
        genesisBytes(chain, '2026-01-02T00:00:00.000Z'),
      ];
      const [tagKey, otherKey] = [world.random(32), world.random(32)];
      await ledger.begin(chain, genesis, tagKey);
      await Promise.all([ledger.begin(chain, other, otherKey), open(store.database).begin(chain, other, otherKey)]);
      const rows = await store.sql<{
        genesis: Uint8Array;
        tag_key: Uint8Array;
        head_seq: number;
        head_hash: Uint8Array;
      }>('select genesis, tag_key, head_seq, head_hash from chains where chain = $1', [chain]);
      expect(rows.map((row) => [...row.genesis])).toEqual([[...genesis]]);
      expect(rows.map((row) => [...row.tag_key])).toEqual([[...tagKey]]);
      expect(rows.map((row) => Buffer.from(row.head_hash).toString('hex'))).toEqual([genesisHead(genesis).hash]);
      expect(await ledger.read(chain, 0, 10)).toEqual([]);
    });

    it('an append that is too late for its time writes nothing, also later', async () => {
      const append = await writes(store, caller, ['late']);
      const behind = () => ledger.append(caller.workspaceId, append.head, append.commits, () => true);
      expect(await behind()).toEqual({ outcome: 'late' });
      expect(await contents()).toEqual([]);
      expect(await ledger.read(caller.workspaceId, append.head.seq, 10)).toEqual([]);
      expect(await ledger.append(caller.workspaceId, append.head, append.commits)).toEqual({ outcome: 'appended' });
      // What an earlier call has committed is not late.
      expect(await behind()).toEqual({ outcome: 'appended' });
      expect(await contents()).toEqual(['late']);
    });

    // @covers FEED-SETTLED
    it('nothing is appended with a settled time, except by the repetition of an append that was committed', async () => {
      const early = await writes(store, caller, ['in time']);
      await ledger.append(caller.workspaceId, early.head, early.commits);
      const late = await writes(store, caller, ['settled']);
      const settledMs = Date.parse(late.commits[0]?.entries[0]?.entry.recorded_at ?? '');
      expect(await createSettledTimes(store.database).settle(settledMs)).toBe(settledMs);
      expect(await ledger.append(caller.workspaceId, late.head, late.commits)).toEqual({ outcome: 'late', settledMs });
      expect(await ledger.append(caller.workspaceId, early.head, early.commits)).toEqual({ outcome: 'appended' });
      expect(await contents()).toEqual(['in time']);
    });

    it('what was appended is read by every process, as one chain, from the engine and from the tables', async () => {
      const first = await writes(store, caller, ['one', 'two']);
      expect(await ledger.append(caller.workspaceId, first.head, first.commits)).toEqual({ outcome: 'appended' });
      const second = await writes(store, caller, ['three']);
      expect(second.head).toEqual(first.end);
      expect(await ledger.append(caller.workspaceId, second.head, second.commits)).toEqual({ outcome: 'appended' });
      expect(await contents()).toEqual(['one', 'three', 'two']);
      const read = await open(store.database).read(caller.workspaceId, first.head.seq, 10);
      const stored = await store.database.read((tx) => readLinks(tx, caller.workspaceId, first.head.seq, 10));
      expect(read.map(({ seq, hash, bytes }) => ({ seq, hash, bytes: Buffer.from(bytes) }))).toEqual(
        stored.map(({ seq, hash, bytes }) => ({ seq, hash, bytes: Buffer.from(bytes) })),
      );
      let at: Head | string = first.head;
      for (const one of read) at = typeof at === 'string' ? at : checkLink(caller.workspaceId, at, one);
      expect(at).toMatchObject({ seq: second.end.seq, hash: second.end.hash });
      expect(await ledger.read(caller.workspaceId, first.head.seq, 1)).toHaveLength(1);
    });

    it('a conflict writes nothing and says where the chain ends', async () => {
      const late = await writes(store, caller, ['late', 'later']);
      const early = await writes(store, caller, ['early']);
      await ledger.append(caller.workspaceId, early.head, early.commits);
      expect(await ledger.append(caller.workspaceId, late.head, late.commits)).toEqual({
        outcome: 'conflict',
        head: early.end,
      });
      expect(await contents()).toEqual(['early']);
      expect(await head()).toEqual(early.end);
    });

    it('an append that is repeated is appended, once, also when others came after it', async () => {
      const append = await writes(store, caller, ['once', 'together']);
      const again = () => open(store.database).append(caller.workspaceId, append.head, append.commits);
      expect(await ledger.append(caller.workspaceId, append.head, append.commits)).toEqual({ outcome: 'appended' });
      expect(await again()).toEqual({ outcome: 'appended' });
      const next = await writes(store, caller, ['next']);
      await ledger.append(caller.workspaceId, next.head, next.commits);
      expect(await again()).toEqual({ outcome: 'appended' });
      expect(await contents()).toEqual(['next', 'once', 'together']);
      expect(await head()).toEqual(next.end);
    });

    it('a repetition does not bring back what was deleted in between', async () => {
      const append = await writes(store, caller, ['gone']);
      await ledger.append(caller.workspaceId, append.head, append.commits);
      const [memory] = await store.sql<{ id: string }>('select id::text from memories where workspace_id = $1', [
        caller.workspaceId,
      ]);
      await store.remove(caller, memory?.id ?? '');
      expect(await ledger.append(caller.workspaceId, append.head, append.commits)).toEqual({ outcome: 'appended' });
      expect(await contents()).toEqual([]);
    });

    it('of appends at the same time, by several processes, one wins', async () => {
      const rivals = await Promise.all(
        ['a', 'b', 'c', 'd'].map((content) => writes(store, caller, [content, `${content} too`])),
      );
      const outcomes = await Promise.all(
        rivals.map(({ head: behind, commits }) => open(store.database).append(caller.workspaceId, behind, commits)),
      );
      const won = outcomes.findIndex(({ outcome }) => outcome === 'appended');
      expect(outcomes.filter(({ outcome }) => outcome === 'appended')).toHaveLength(1);
      const winner = ['a', 'b', 'c', 'd'][won];
      expect(await contents()).toEqual([winner, `${winner} too`]);
      expect(await head()).toEqual(rivals[won]?.end);
    });

    it('an answer without entries is stored behind the head that it was decided on, and nowhere else', async () => {
      const request = { requestKey: world.nonce(), digest: 'the same' };
      const nothing = {
        actor: caller.actor,
        reads: {},
        decide: () => ({ drafts: [], deposits: [], answer: () => ({ status: 200, body: 'done' }) }),
      };
      const answered = await decided(store, caller, [once(nothing, request)]);
      expect(answered.commits.map(({ entries }) => entries)).toEqual([[]]);
      const between = await writes(store, caller, ['between']);
      await ledger.append(caller.workspaceId, between.head, between.commits);
      const late = await ledger.append(caller.workspaceId, answered.head, answered.commits);
      expect(late).toEqual({ outcome: 'conflict', head: between.end });
      const stored = () => store.sql('select 1 from answers where request_key = $1', [request.requestKey]);
      expect(await stored()).toHaveLength(0);
      for (const _ of ['first', 'again']) {
        expect(await ledger.append(caller.workspaceId, between.end, answered.commits)).toEqual({ outcome: 'appended' });
        expect(await stored()).toHaveLength(1);
      }
      expect(await head()).toEqual(between.end);
    });

    it('a delete has destroyed deposit and answers when it resolves', async () => {
      const id = await store.add(caller, 'short-lived');
      const [row] = await store.sql<{ receipt_id: string }>('select receipt_id from memories where id = $1', [id]);
      const found = { namespace_ids: caller.namespaceIds, mode: 'keyword', degraded: [], k: 8, results: [] };
      const recall = answering(recordRecall(world, caller, 'what', found), (body) => ({ status: 200, body }));
      const request = { requestKey: world.nonce(), digest: 'the same' };
      await store.run(caller.workspaceId, once(recall, request, { receipts: () => [row?.receipt_id ?? ''] }));
      expect(await store.sql('select 1 from answers where request_key = $1', [request.requestKey])).toHaveLength(1);
      const deleted = await decided(store, caller, [deleteMemory(world, caller, id)]);
      await ledger.append(caller.workspaceId, deleted.head, deleted.commits);
      expect(await contents()).toEqual([]);
      expect(await store.sql('select 1 from answers where request_key = $1', [request.requestKey])).toEqual([]);
    });

    it('takes an entry of 512 KiB and none that is larger, and what is refused leaves nothing', async () => {
      const behind = await head();
      const recall = (namespaces: number): Unlinked => ({
        kind: 'memory.recall',
        receipt_id: `rcp_${world.nonce().replaceAll('-', '')}`,
        recorded_at: world.now().toISOString(),
        actor: caller.actor,
        body: {
          query_commitment: 'c'.repeat(64),
          namespace_ids: Array.from({ length: namespaces }, () => world.nonce()),
          mode: 'fused',
          degraded: [],
          k: 8,
          results: [],
        },
      });
      const sized = (namespaces: number): { commits: Commit[]; bytes: number } => {
        const entries = link(caller.workspaceId, behind, [recall(1), recall(namespaces)]);
        const commits = entries.map((one) => {
          const deposit = { receiptId: one.entry.receipt_id, salt: world.random(32), texts: {} };
          return { entries: [one], deposits: [deposit], answer: null };
        });
        return { commits, bytes: entries[1]?.bytes.length ?? 0 };
      };
      const most = Math.floor((maxEntryBytes - 900) / 39);
      const [fits, tooLarge] = [sized(most), sized(most + 50)];
      expect(fits.bytes).toBeLessThanOrEqual(maxEntryBytes);
      expect(tooLarge.bytes).toBeGreaterThan(maxEntryBytes);
      await expect(ledger.append(caller.workspaceId, behind, tooLarge.commits)).rejects.toThrow(NotAppended);
      expect(await head()).toEqual(behind);
      expect(await ledger.append(caller.workspaceId, behind, fits.commits)).toEqual({ outcome: 'appended' });
      expect((await head()).seq).toBe(behind.seq + 2);
    });

    it('followers hear of growth in their own process at once, and look at everything from time to time', async () => {
      const stopping = new AbortController();
      const seen: Growth[] = [];
      const following = (async () => {
        for await (const growth of ledger.follow(stopping.signal)) seen.push(growth);
      })();
      await expect.poll(() => seen).toEqual(['unknown']);
      const append = await writes(store, caller, ['heard of']);
      await ledger.append(caller.workspaceId, append.head, append.commits);
      await expect.poll(() => seen.some((one) => one !== 'unknown' && one.has(caller.workspaceId))).toBe(true);
      // Of what another process appends nothing is said by name, but soon it is time to look.
      const looks = () => seen.filter((one) => one === 'unknown').length;
      const before = looks();
      await expect.poll(looks).toBeGreaterThan(before);
      stopping.abort();
      await following;
    });

    it('leaves a store in which nothing is wrong', async () => {
      const checked = await fsck(store.database, models, { onProgress: () => undefined });
      expect(checked.faults).toBeNull();
    });
  });
});
