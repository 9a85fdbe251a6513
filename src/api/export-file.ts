import { setTimeout as pause } from 'node:timers/promises';
import { Refusal } from '../../contracts/errors.js';
import { elementTexts, stringify } from '../base/json-text.js';
import { pageLine } from '../domain/export-lines.js';
import { readJsonObject } from '../domain/read-json.js';
import { Encoded } from './answer.js';
import { type Call, type CallParts, call } from './call.js';
import { memoryExportOperation } from './memories/export.js';
import type { WorkspaceOperation } from './operation.js';
import { receiptExportOperation } from './receipts/export.js';

type By = Pick<Call, 'caller' | 'client'>;

/** All memories that a caller may export, in the format that `counterfoil import` takes. @throws Refusal as the route does */
export const memoryFile = (by: By, parts: CallParts): Promise<AsyncIterable<string>> =>
  file(memoryExportOperation, (page) => `${pageLine(page)}\n`, by, parts);

/** All entries as they were hashed, one on each line, as `counterfoil export-receipts` writes them. @throws Refusal as the route does */
export const entryFile = (by: By, parts: CallParts): Promise<AsyncIterable<string>> =>
  file(receiptExportOperation, entryLines, by, parts);

/** A page that is refused because of too many requests is requested again, at most this number of times. */
const mostWaits = 20;

/** The first page is read before anything is sent, so that its refusal is an answer. A refusal of a later page breaks the file off. */
async function file(
  operation: WorkspaceOperation,
  linesOf: (page: string) => string,
  by: By,
  parts: CallParts,
): Promise<AsyncIterable<string>> {
  const first = await pageAt(null);
  return pages();

  async function* pages(): AsyncIterable<string> {
    for (let page = first; ; page = await pageAt(page.next)) {
      yield linesOf(page.text);
      if (page.next === null) return;
    }
  }

  async function pageAt(cursor: string | null): Promise<{ readonly text: string; readonly next: string | null }> {
    const query: Record<string, string> = { limit: '1000', ...(cursor === null ? {} : { cursor }) };
    for (let waits = 0; ; waits += 1) {
      try {
        const { body } = await call(operation, { ...by, query }, parts);
        const text = body instanceof Encoded ? Buffer.from(body.bytes).toString('utf8') : stringify(body);
        const next: unknown = JSON.parse(members(text).get('next_cursor') ?? 'null');
        return { text, next: typeof next === 'string' ? next : null };
      } catch (error) {
        const seconds = error instanceof Refusal && error.code === 'rate_limited' ? error.retryAfterSeconds : undefined;
        if (cursor === null || seconds === undefined || waits >= mostWaits) throw error;
        await pause(seconds * 1000);
      }
    }
  }
}

const members = (page: string) => readJsonObject(page, { depth: 256, values: Number.POSITIVE_INFINITY }).texts;

const entryLines = (page: string): string =>
  elementTexts(members(page).get('data') ?? '[]')
    .map((entry) => `${entry}\n`)
    .join('');
