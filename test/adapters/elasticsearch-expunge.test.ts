import { describe, expect, it } from 'vitest';
import { expunge } from '../../src/adapters/elasticsearch/expunge.js';
import { clusterThat, counted } from './elasticsearch-answers.js';

const never = new AbortController().signal;

describe('removing the bytes of deleted documents', () => {
  // @covers ESW-SCRUB-DELETED
  it.each([
    [counted(0, 0, 0), null],
    [counted(3, 0, 0), 'still has 3 deleted documents in its files'],
    [counted(1, 0, 0), 'still has 1 deleted document in its files'],
    [counted(2, 0, 0, { search: true, committed: false }), 'still has 2 deleted documents in its files'],
    [counted(2, 0, 0, { search: false, committed: false }), 'still has 2 deleted documents in its files'],
    [counted(0, 1, 0), 'is read by 1 open scroll or point in time, which keeps old files'],
    [counted(0, 2, 0), 'is read by 2 open scrolls or points in time, which keep old files'],
    [counted(0, 0, 1), 'has copies that do not answer'],
  ])('says what is left %#', async (answer, sentence) => {
    expect(await expunge(await clusterThat(answer), 'index', never)).toBe(sentence);
  });

  it('says that an index is missing or cannot be merged', async () => {
    const missing = await clusterThat((_path, reply) =>
      reply(404, { error: { type: 'index_not_found_exception' }, status: 404 }),
    );
    expect(await expunge(missing, 'index', never)).toBe('is being deleted');
    const full = await clusterThat((_path, reply) =>
      reply(429, { error: { type: 'cluster_block_exception' }, status: 429 }),
    );
    expect(await expunge(full, 'index', never)).toBe(
      'cannot be expunged: Elasticsearch answers 429: cluster_block_exception',
    );
  });

  it('ends when the time is over, and says that the merge has not', async () => {
    const slow = await clusterThat((path, reply) => {
      if (!path.includes('_forcemerge')) counted(0, 0, 0)(path, reply);
    });
    expect(await expunge(slow, 'index', AbortSignal.timeout(100))).toBe('was not merged in time');
  });
});
