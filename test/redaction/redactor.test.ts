import { afterAll, describe, expect, it } from 'vitest';
import { openRedactor } from '../../src/adapters/threads/redactor.js';
import { redactMemory } from '../../src/domain/redaction/writing.js';

const phones = '+44 20 7946 0958, ';
const sentence = 'The heron is in the shallows, and waits for jo@example.org and for no one else. ';
const long = sentence.repeat(400);

describe('a redactor', () => {
  const redactor = openRedactor();
  afterAll(() => redactor.close());
  const writing = (content: string, metadata = '{}') => ({ content, metadata, source: 'a@example.org', label: null });

  it.each([
    ['a short text', writing(sentence, '{"to":"jo@example.org"}')],
    ['a long text', writing(long, '{"to":"jo@example.org"}')],
    ['long metadata', writing('x', JSON.stringify({ a: long }))],
    ['what is no whole character', writing(`${long}\ud83d`)],
    ['nothing to be found', writing('x'.repeat(100_000))],
  ])('says the same of %s wherever it is redacted', async (_, given) => {
    expect(await redactor.redact('a workspace', given)).toEqual(redactMemory(given));
  });

  it('allows others to continue while a long text is redacted', async () => {
    const done: string[] = [];
    const redacted = redactor.redact('a workspace', writing(phones.repeat(8000))).then(() => done.push('redacted'));
    await new Promise((resolve) => setTimeout(resolve));
    done.push('another');
    await redacted;
    expect(done).toEqual(['another', 'redacted']);
  });

  it('holds so much and refuses more, and continues afterwards', async () => {
    const mebibyte = writing('x '.repeat(512 * 1024));
    const settled = await Promise.allSettled(
      Array.from({ length: 40 }, (_, n) => redactor.redact(`workspace ${n % 3}`, mebibyte)),
    );
    const refused = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(refused).toHaveLength(9);
    for (const one of refused) expect(one).toMatchObject({ code: 'rate_limited', status: 429 });
    expect((await redactor.redact('a workspace', writing(long))).found).toEqual({ email: 401 });
  });
});
