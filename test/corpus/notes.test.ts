import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { noteItems } from '../../src/cli/imports/note-items.js';
import type { ImportItem } from '../../src/domain/imports/imported.js';
import { noteExpectations, notesCorpus, notesFolder } from './make/notes.js';
import type { NoteCase } from './make/notes-case.js';

const corpus = notesCorpus();

describe('the corpus of notes', () => {
  it('is what its script makes, byte for byte', () => {
    const files = readdirSync(notesFolder, { recursive: true, encoding: 'utf8' }).filter((path) => /\.\w+$/.test(path));
    expect(files.sort()).toEqual([...corpus.map(({ path }) => path), 'expected.json'].sort());
    const changed = corpus.filter(({ path, bytes }) => !readFileSync(join(notesFolder, path)).equals(bytes));
    expect(changed.map(({ path }) => path)).toEqual([]);
    expect(readFileSync(join(notesFolder, 'expected.json'), 'utf8')).toBe(noteExpectations(corpus));
  });

  // @covers IMPORT-NOTES IMPORT-VALUES IMPORT-REPORTED
  it('is read as it was meant, or says what it did', async () => {
    const items: ImportItem[] = [];
    for await (const item of noteItems(notesFolder, () => undefined)) items.push(item);
    expect(items.map(({ place }) => place)).toEqual(corpus.map(({ path }) => path));
    for (const [at, { path, expected }] of corpus.entries()) {
      expect({ path, ...shown(items[at]?.memory, expected) }).toEqual({ path, ...expectedOf(path, expected) });
    }
  });
});

function expectedOf(path: string, expected: NoteCase['expected']): object {
  if ('refused' in expected) return { refused: true };
  const { content, title, type = 'note', tags = [], observations = [], relations = [] } = expected;
  const { imported = {}, permalink = path.replace(/\.md$/, ''), assumed = [] } = expected;
  const metadata = { title, type, tags, observations, relations };
  return {
    content,
    metadata: JSON.stringify({ ...metadata, imported: { from: 'basic-memory', permalink, path, ...imported } }),
    assumed,
  };
}

/** The memory in the form of the expectation: of sentences only the expected beginning. */
function shown(memory: ImportItem['memory'] | undefined, expected: NoteCase['expected']): object {
  if (typeof memory === 'string') {
    return 'refused' in expected && memory.startsWith(expected.refused) ? { refused: true } : { refused: memory };
  }
  if (memory === undefined || !('content' in memory)) return { memory };
  const wanted = 'refused' in expected ? [] : (expected.assumed ?? []);
  const assumed = (memory.assumed ?? []).map((sentence, at) =>
    sentence.startsWith(wanted[at] ?? '\0') ? wanted[at] : sentence,
  );
  return { content: memory.content, metadata: memory.metadata, assumed };
}
