import { setTimeout as pause } from 'node:timers/promises';
import { Refusal } from '../../../contracts/errors.js';
import { Encoded } from '../../api/answer.js';
import { call } from '../../api/call.js';
import { memoryExportOperation } from '../../api/memories/export.js';
import type { WorkspaceOperation } from '../../api/operation.js';
import { receiptExportOperation } from '../../api/receipts/export.js';
import { elementTexts, stringify } from '../../base/json-text.js';
import { pageLine } from '../../domain/export-lines.js';
import { readJsonObject } from '../../domain/read-json.js';
import type { Download, PageParts, PersonPage, PersonRequest } from '../page.js';

interface Export {
  readonly path: string;
  readonly name: string;
  readonly operation: WorkspaceOperation;
  readonly ofMemoryApi?: true;
  /** The lines of a page of the API, each with its end. */
  linesOf(page: string): string;
}

/** A page of the API that is refused because of too many requests is asked for again, at most this number of times. */
const mostWaits = 20;

/** All pages of an export as one file, which is made while it is downloaded. */
function exportPage({ path, name, operation, ofMemoryApi, linesOf }: Export): PersonPage {
  return {
    path,
    access: 'a person',
    ...(ofMemoryApi && { ofMemoryApi }),
    async show(request, parts): Promise<Download> {
      // A refusal of the first page is shown as a page. A later one ends the connection, so no part of a file looks whole.
      const first = await pageOf(operation, null, request, parts);
      return { file: name, type: 'application/x-ndjson', parts: allOf(first) };

      async function* allOf(page: Exported): AsyncIterable<string> {
        for (let shown = page; ; shown = await pageOf(operation, shown.next, request, parts)) {
          yield linesOf(shown.text);
          if (shown.next === null) return;
        }
      }
    },
  };
}

interface Exported {
  readonly text: string;
  readonly next: string | null;
}

async function pageOf(
  operation: WorkspaceOperation,
  cursor: string | null,
  { visitor: { caller }, client }: PersonRequest,
  parts: PageParts,
): Promise<Exported> {
  const query: Record<string, string> = cursor === null ? {} : { cursor };
  for (let waits = 0; ; waits += 1) {
    try {
      const { body } = await call(operation, { caller, client, query: { ...query, limit: '1000' } }, parts);
      const text = body instanceof Encoded ? Buffer.from(body.bytes).toString('utf8') : stringify(body);
      const next = JSON.parse(readPage(text).get('next_cursor') ?? 'null');
      return { text, next: typeof next === 'string' ? next : null };
    } catch (error) {
      const seconds = error instanceof Refusal && error.code === 'rate_limited' ? error.retryAfterSeconds : undefined;
      if (cursor === null || seconds === undefined || waits >= mostWaits) throw error;
      await pause(seconds * 1000);
    }
  }
}

const readPage = (text: string) => readJsonObject(text, { depth: 256, values: Number.POSITIVE_INFINITY }).texts;

/** Every memory, in the format that `counterfoil import` takes. */
export const memoryFilePage = exportPage({
  path: '/settings/memories.jsonl',
  name: 'memories.jsonl',
  operation: memoryExportOperation,
  ofMemoryApi: true,
  linesOf: (page) => `${pageLine(page)}\n`,
});

/** Every entry as it was hashed, one on each line, as `counterfoil export-receipts` writes them. */
export const receiptFilePage = exportPage({
  path: '/settings/receipts.jsonl',
  name: 'receipts.jsonl',
  operation: receiptExportOperation,
  linesOf: (page) =>
    elementTexts(readPage(page).get('data') ?? '[]')
      .map((entry) => `${entry}\n`)
      .join(''),
});
