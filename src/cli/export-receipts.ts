import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { z } from 'zod';
import { limits } from '../../contracts/limits.js';
import { elementTexts } from '../base/json-text.js';
import { maxPageBytes } from '../domain/export-pages.js';
import { readJsonObject } from '../domain/read-json.js';
import { bundleLimits, readBundle } from '../verifier/bundle.js';
import { toUtf8 } from '../verifier/bytes.js';
import { readHeadLeaf } from '../verifier/leaf.js';
import { openRange, type RangeReader } from '../verifier/range.js';
import { readLines } from './entries-file.js';
import { openRemote, type Remote, type RemoteOptions, readRefusal } from './remote.js';
import { printableLine, type Terminal, terminal } from './terminal.js';

/**
 * Writes all entries of the workspace to a file, one on each line, and beside it a proof that they are all. A file of an earlier export, also
 * of an interrupted one, is continued where it ends.
 * @returns the exit code: 0 when the proof covers the entries, otherwise 2
 */
export async function exportReceipts(
  path: string,
  options: RemoteOptions,
  { err }: Pick<Terminal, 'err'> = terminal,
): Promise<number> {
  let file: FileHandle | undefined;
  try {
    const remote = openRemote(options);
    const reader = openRange();
    const place = await placeIn(path, reader);
    file = await open(path, existsSync(path) ? 'r+' : 'wx+', 0o600);
    await file.truncate(place.end);
    const writer = { remote, file, reader, end: place.end, last: place.last };
    await addEntries(writer, Number.POSITIVE_INFINITY);
    const proof = await addProof(writer, path);
    err(`Exported ${reader.range().size} entries from ${remote.url}.`);
    err(
      `Check them: counterfoil verify ${printableLine(proof)} --entries ${printableLine(path)} --key <key of the log>`,
    );
    return 0;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    err(printableLine(`counterfoil: ${reason}${/[.?]$/.test(reason) ? '' : '.'} The export is not complete.`));
    return 2;
  } finally {
    await file?.close();
  }
}

interface Writer {
  readonly remote: Remote;
  readonly file: FileHandle;
  readonly reader: RangeReader;
  /** The length of the file. */
  end: number;
  /** The last entry in the file. */
  last: Uint8Array | null;
}

/** The end of the entries that the file has, without a line that was written in part. */
async function placeIn(path: string, reader: RangeReader): Promise<{ end: number; last: Uint8Array | null }> {
  if (!existsSync(path)) return { end: 0, last: null };
  const { whole, last } = await readLines(path, reader, true);
  const { fault } = reader.range();
  if (fault !== null) throw new Error(`${path} is no file of entries that could be continued: ${fault}`);
  return { end: whole, last };
}

/** Adds entries up to number `most`, or up to the last one that there is. */
async function addEntries(writer: Writer, most: number): Promise<void> {
  for (;;) {
    const { size } = writer.reader.range();
    const limit = Math.min(limits.exportMax, most - size);
    if (limit === 0) return;
    const entries = await page(writer.remote, size, limit);
    if (entries.length === 0) return;
    const lines: Uint8Array[] = [];
    for (const text of entries) {
      const bytes = toUtf8(text);
      writer.reader.take(bytes);
      lines.push(bytes, toUtf8('\n'));
      writer.last = bytes;
    }
    const { fault } = writer.reader.range();
    if (fault !== null) throw new Error(`What ${writer.remote.url} answers does not continue the file: ${fault}`);
    const written = Buffer.concat(lines);
    await writer.file.write(written, 0, written.length, writer.end);
    writer.end += written.length;
  }
}

/** The texts of entries exactly as they were sent. */
async function page(remote: Remote, after: number, limit: number): Promise<readonly string[]> {
  const answer = await ask(remote, `/v1/receipts/export?after=${after}&limit=${limit}`, maxPageBytes);
  const { texts } = readJsonObject(answer, { depth: 256, values: Number.POSITIVE_INFINITY });
  return elementTexts(texts.get('data') ?? '[]');
}

const lastEntry = z.object({ receipt_id: z.string() });

/** Gets the proof of the last entry, adds the entries that its head covers besides, and stores it without the texts of that receipt. */
async function addProof(writer: Writer, path: string): Promise<string> {
  if (writer.last === null) throw new Error('The workspace has no entry');
  const { receipt_id } = lastEntry.parse(JSON.parse(Buffer.from(writer.last).toString('utf8')));
  const url = `/v1/receipts/${encodeURIComponent(receipt_id)}/proof`;
  const { disclosed: _, ...bundle } = z
    .looseObject({})
    .parse(JSON.parse(await ask(writer.remote, url, bundleLimits.bytes)));
  const text = `${JSON.stringify(bundle)}\n`;
  const { place, unplaced } = readBundle(toUtf8(text));
  if (!place) throw new Error(`No checkpoint covers the last entry. ${unplaced ?? 'Repeat the command later.'}`);
  await addEntries(writer, readHeadLeaf(place.head.leaf).size);
  await writer.file.sync();
  const proof = `${path}.proof.json`;
  writeFileSync(`${proof}.new`, text, { mode: 0o600 });
  renameSync(`${proof}.new`, proof);
  return proof;
}

async function ask(remote: Remote, path: string, maxBytes: number): Promise<string> {
  const answer = await remote.ask(path, { maxBytes });
  if (answer.status === 200) return Buffer.from(answer.body).toString('utf8');
  const { code, message } = readRefusal(remote, answer);
  throw new Error(`${remote.url} refuses the export: ${code}: ${message}`);
}
