import { describe, expect, it } from 'vitest';
import { redactJson, redactMemory } from '../../src/domain/redaction/writing.js';

describe('what becomes of a memory', () => {
  const memory = {
    content: 'a@example.com',
    metadata: '{"to":["b@example.com"],"card":4111111111111111}',
    source: null,
    label: null,
  };

  it('counts over content, metadata and source', () => {
    expect(redactMemory({ ...memory, source: 'tel:+442079460958' })).toEqual({
      content: '[redacted]',
      metadata: '{"to":["[redacted]"],"card":"[redacted]"}',
      source: 'tel:[redacted]',
      label: null,
      found: { email: 2, card: 1, phone: 1 },
    });
  });
});

describe('metadata', () => {
  it.each([
    ['{"a":"x"}', '{"a":"x"}'],
    ['{}', '{}'],
    [' {"a" : "a@example.com" } ', ' {"a" : "[redacted]" } '],
    ['{"a@example.com":"key stays"}', '{"a@example.com":"key stays"}'],
    ['{"a":"\\u0061@example.com and \\"b\\""}', '{"a":"[redacted] and \\"b\\""}'],
    ['{"a":"\\u0061 stays as \\u0062 was"}', '{"a":"\\u0061 stays as \\u0062 was"}'],
    ['{"phoneNumber":"07911123456"}', '{"phoneNumber":"[redacted]"}'],
    ['{"phones":["07911123456",7911123456]}', '{"phones":["[redacted]","[redacted]"]}'],
    ['{"order_id":"07911123456"}', '{"order_id":"07911123456"}'],
    ['{"order_id":4111111111111111}', '{"order_id":4111111111111111}'],
    ['{"id":4111111111111111,"t":1705314600000}', '{"id":4111111111111111,"t":1705314600000}'],
    ['{"price":4111111111111111.5}', '{"price":4111111111111111.5}'],
    ['{"deep":[[[{"x":["a@example.com",null,true]}]]]}', '{"deep":[[[{"x":["[redacted]",null,true]}]]]}'],
  ])('%s', (sent, kept) => {
    expect(redactJson(sent).text).toBe(kept);
    expect(redactJson(kept)).toEqual({ text: kept, found: {} });
  });
});
