import { afterAll, describe, expect, it } from 'vitest';
import { openExtractor } from '../../../src/adapters/extract/extractor.js';
import { pdfCorpus } from '../../corpus/make/pdf.js';
import { type Read, wrongWith } from '../../corpus/pdf-reading.js';
import { repeats } from '../../support/repeats.js';

const step = repeats('PDF_STEP');
const some = pdfCorpus().filter((_, at) => at % step === 0);

describe('the corpus of PDFs in processes of their own', () => {
  const extractor = openExtractor();
  afterAll(() => extractor.close());

  it.each(some)('$name', async ({ bytes, expected }) => {
    const document = { form: 'pdf', bytes, contentType: '', maxTextBytes: 1_048_576 } as const;
    const reading = await extractor.read(document, 'a workspace');
    const read: Read = reading.kind === 'text' ? reading : { unreadable: JSON.stringify(reading) };
    expect(wrongWith(bytes, expected, read)).toBeNull();
  });
});
