import { expect, it } from 'vitest';
import type { Embedder } from '../../src/adapters/embeddings/embedder.js';
import { lexicalEmbedder } from '../../src/adapters/embeddings/lexical.js';
import { preparedText } from '../../src/domain/prepared.js';
import { createForIndex } from '../../src/workers/for-index.js';

interface Logged {
  readonly members: object;
  readonly text: string;
}

function preparing(embedder: Embedder = lexicalEmbedder()) {
  const logged: Logged[] = [];
  const note = (members: object, text: string) => void logged.push({ members, text });
  const state: { error: Error | null } = { error: null };
  const forIndex = createForIndex({
    embedder,
    prepare: async (content) => {
      if (state.error) throw state.error;
      return preparedText(content);
    },
    log: { warn: note, info: note },
  });
  return { forIndex, state, logged };
}

const bytes = (count: number): string => 'the tide turns at nine, '.repeat(200).slice(0, count);

// @covers JOB-AT-WRITE
it('texts of at most 4 KiB are prepared, by their bytes', async () => {
  const { forIndex } = preparing();
  const text = await forIndex(bytes(4096));
  expect(text?.model).toBe(lexicalEmbedder().model);
  expect(text?.vectors.map(({ ordinal }) => ordinal)).toEqual(
    preparedText(bytes(4096)).chunks.map((one) => one.ordinal),
  );
  expect(await forIndex(bytes(4097))).toBeNull();
  expect(await forIndex('é'.repeat(2048))).not.toBeNull();
  expect(await forIndex('é'.repeat(2049))).toBeNull();
});

// @covers JOB-AT-WRITE
it('a text without a word is prepared too', async () => {
  const text = await preparing().forIndex('…');
  expect(text).toMatchObject({ parts: [{ texts: [] }] });
});

it('a text with more distinct tokens than the index takes at once is left to its job', async () => {
  const codes = Array.from({ length: 315 }, (_, n) => `${n.toString(36).padStart(3, 'z')}4a8fe5c1b`).join(' ');
  expect(Buffer.byteLength(codes)).toBeLessThanOrEqual(4096);
  expect(await preparing().forIndex(codes)).toBeNull();
});

it('an embedder that does not compute in this process is never waited for', async () => {
  const { isQuick: _, ...slow } = lexicalEmbedder();
  const asked: string[] = [];
  const { forIndex } = preparing({
    ...slow,
    documents: async (texts) => {
      asked.push(...texts);
      return [];
    },
  });
  expect(await forIndex('a short text')).toBeNull();
  expect(asked).toEqual([]);
});

// @covers JOB-AT-WRITE-FAILS
it('a text that cannot be prepared is left to its job, and the log says so once, without the text', async () => {
  const { forIndex, state, logged } = preparing();
  state.error = new Error('the cutter is broken');
  for (const content of ['my secret', 'another secret']) expect(await forIndex(content)).toBeNull();
  expect(logged).toHaveLength(1);
  expect(JSON.stringify(logged)).not.toContain('secret');
  expect(logged[0]?.members).toEqual({ err: state.error });
  state.error = null;
  expect(await forIndex('a third')).not.toBeNull();
  expect(logged).toHaveLength(2);
  state.error = new Error('the cutter is broken');
  await forIndex('a fourth');
  expect(logged).toHaveLength(3);
});
