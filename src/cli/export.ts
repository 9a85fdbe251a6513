import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { limits } from '../../contracts/limits.js';
import { pageLine } from '../domain/export-lines.js';
import { maxPageBytes, NotAnExport, readExportPage } from '../domain/export-pages.js';
import { openRemote, type Remote, type RemoteOptions, readRefusal } from './remote.js';
import { output, printableLine, type Terminal, terminal } from './terminal.js';

export interface ExportOptions extends RemoteOptions {
  /** A file that does not exist yet; the default is standard output. */
  readonly out?: string;
}

/**
 * Writes every memory that the key can read, a page on each line, as the service sent them but for the line ends in metadata.
 * @returns the exit code: 0 when all were written, otherwise 2
 */
export async function exportMemories(
  options: ExportOptions,
  { err }: Pick<Terminal, 'err'> = terminal,
): Promise<number> {
  try {
    const remote = openRemote(options);
    const first = await fetchPage(remote, null);
    // The file is created when there is something to write, and only its owner may read it.
    const file = options.out === undefined ? undefined : createWriteStream(options.out, { flags: 'wx', mode: 0o600 });
    const memories = await writePages(remote, first, file ?? output.stdout);
    if (file) await finished(file.end());
    err(`Exported ${memories} memories from ${remote.url}.`);
    return 0;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    err(printableLine(`counterfoil: ${reason}${/[.?]$/.test(reason) ? '' : '.'} The export is not complete.`));
    return 2;
  }
}

interface Page {
  /** JSON text without line ends. */
  readonly line: string;
  readonly memories: number;
  readonly next: string | null;
}

async function writePages(remote: Remote, first: Page, stream: Writable): Promise<number> {
  let memories = 0;
  let failed: Error | undefined;
  stream.on('error', (error) => {
    failed = error;
  });
  for (let page = first; ; page = await fetchPage(remote, page.next)) {
    if (!stream.write(`${page.line}\n`) && !failed) await once(stream, 'drain');
    if (failed) throw failed;
    memories += page.memories;
    if (page.next === null) return memories;
  }
}

/** @throws Error when the service refuses, or its answer is not a page of an export */
async function fetchPage(remote: Remote, cursor: string | null): Promise<Page> {
  const query = new URLSearchParams({ limit: String(limits.exportMax), ...(cursor === null ? {} : { cursor }) });
  const answer = await remote.ask(`/v1/memories/export?${query}`, { maxBytes: maxPageBytes });
  if (answer.status !== 200) {
    const { code, message } = readRefusal(remote, answer);
    throw new Error(`${remote.url} refuses the export: ${code}: ${message}`);
  }
  try {
    const text = Buffer.from(answer.body).toString('utf8');
    const { memories, next } = readExportPage(text);
    return { line: pageLine(text), memories: memories.length, next };
  } catch (error) {
    if (error instanceof NotAnExport)
      throw new Error(`${remote.url} did not answer with a page of an export: ${error.message}`);
    throw error;
  }
}
