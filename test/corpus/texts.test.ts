import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { textExpectations, textsCorpus, textsFolder } from './make/texts.js';
import type { ExpectedText } from './make/texts-case.js';
import { readText } from './texts-reading.js';

const corpus = textsCorpus();

describe('the corpus of texts', () => {
  it('is what its script makes, byte for byte', () => {
    const files = readdirSync(textsFolder, { recursive: true, encoding: 'utf8' }).filter((path) => /\.\w+$/.test(path));
    expect(files.sort()).toEqual([...corpus.map(({ path }) => path), 'expected.json'].sort());
    const changed = corpus.filter(({ path, bytes }) => !readFileSync(join(textsFolder, path)).equals(bytes));
    expect(changed.map(({ path }) => path)).toEqual([]);
    expect(readFileSync(join(textsFolder, 'expected.json'), 'utf8')).toBe(textExpectations(corpus));
  });

  // @covers IMPORT-CHARSETS IMPORT-REPORTED
  it.each(corpus)('$path', async ({ path, bytes, contentType, expected }) => {
    expect(shown(await readText(path, bytes, contentType), expected)).toEqual(expected);
  });
});

/** What was read in the form of the expectation: of charsets that read these bytes alike all, if one of them was named. */
function shown(read: Awaited<ReturnType<typeof readText>>, expected: ExpectedText): object {
  const alike = 'text' in expected ? expected.assumed?.charset : undefined;
  if (!('text' in read) || !Array.isArray(alike) || !alike.includes(read.assumed?.charset)) return read;
  return { ...read, assumed: { ...read.assumed, charset: alike } };
}
