import { basename } from 'node:path';
import { Refusal } from '../../contracts/errors.js';
import { readDocument } from '../../src/adapters/extract/read-document.js';
import { createImports, type Imported } from '../../src/commands/imports.js';

/** Imports as the service has them, with documents read in this process: the processes of their own would take most of the time. */
const imports = createImports({
  fetch: () => Promise.reject(new Error('A test of texts fetches nothing.')),
  extractor: { read: (document) => readDocument(document), close: async () => undefined },
});

/** What an import of a file gives: the text with what was assumed, or the code of the refusal. */
export async function readText(
  path: string,
  bytes: Uint8Array,
  contentType: string,
): Promise<{ text: string; assumed?: Imported['assumed'] } | { refused: string }> {
  try {
    const source = { kind: 'file', filename: basename(path), contentType, bytes } as const;
    const { content: text, assumed } = await imports(source, 'a workspace');
    return { text, ...(assumed && { assumed }) };
  } catch (error) {
    if (error instanceof Refusal) return { refused: error.code };
    throw error;
  }
}
