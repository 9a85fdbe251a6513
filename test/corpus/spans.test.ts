import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readExport } from '../../src/adapters/otlp/read.js';
import { planTrace } from '../../src/domain/otlp/plan.js';
import { receiptOf } from '../../src/domain/otlp/receipt.js';
import { countOf, remarksOf, sentencesOf } from '../../src/domain/otlp/refused.js';
import { spansCorpus, spansExpectations, spansFolder } from './make/spans.js';

const corpus = spansCorpus();

function read(text: string) {
  const found = readExport({ body: Buffer.from(text), format: 'json', gzip: false, most: { bytes: 1e6, values: 1e6 } });
  if (!('traces' in found)) throw new Error(JSON.stringify(found));
  const receipts = found.traces.flatMap(({ traceId, part }) => {
    const plan = planTrace({ traceId, stored: [], recorded: new Set() }, JSON.parse(part));
    return plan.trees.map(({ root, spans }) => receiptOf(traceId, root, spans));
  });
  return {
    receipts,
    refused: countOf(found.refused),
    said: `${sentencesOf(found.refused)}${remarksOf(found.remarks)}`,
    withoutOperation: found.withoutOperation,
  };
}

describe('the corpus of exports of spans', () => {
  it('is what its script makes, byte for byte', () => {
    expect(readdirSync(spansFolder).sort()).toEqual([...corpus.map(({ file }) => file), 'expected.json'].sort());
    const changed = corpus.filter(({ file, text }) => readFileSync(join(spansFolder, file), 'utf8') !== text);
    expect(changed.map(({ file }) => file)).toEqual([]);
    expect(readFileSync(join(spansFolder, 'expected.json'), 'utf8')).toBe(spansExpectations(corpus));
  });

  // @covers OTLP-RECEIPT OTLP-STATUS OTLP-USAGE
  it.each(corpus)('$file becomes its receipts, or says what was not understood', ({ text, expected }) => {
    const { receipts, refused, said, withoutOperation } = read(text);
    expect(receipts).toHaveLength(expected.receipts.length);
    expect(receipts).toMatchObject(expected.receipts);
    expect([refused, withoutOperation]).toEqual([expected.refused ?? 0, 0]);
    if (expected.says === undefined) expect(said).toBe('');
    else expect(said).toContain(expected.says);
  });
});
