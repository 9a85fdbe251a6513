import { randomUUID } from 'node:crypto';
import { createReadStream, type Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import {
  type ExportedMemory,
  type ExportPage,
  NotAnExport,
  readExportedMemory,
  readExportPage,
  splitPages,
} from '../domain/export-pages.js';
import { createTally, type Tally } from './import-tally.js';
import { type ImportItem, writeItems } from './import-writing.js';
import { type ProgressDisplay, showProgress } from './progress.js';
import { openRemote, type Remote, type RemoteOptions } from './remote.js';
import { printable, type Terminal, terminal } from './terminal.js';

export interface ImportOptions extends RemoteOptions {
  /** The namespace for every memory, instead of the one from which it was exported. */
  readonly namespace?: string;
}

/**
 * Writes the memories of an export to a running service. Memories that exist already, by text and namespace, are
 * skipped, so an interrupted import can be repeated from its beginning.
 * @param path a file, or - for standard input
 * @returns the exit code: 0, 1 when some were refused or pages are missing, 2 when it cannot run
 */
export async function importMemories(
  path: string,
  options: ImportOptions,
  { stdin, out, err }: Pick<Terminal, 'stdin' | 'out' | 'err'> = terminal,
  progress: ProgressDisplay = showProgress(),
): Promise<number> {
  const tally = createTally((text) => err(printable(text)));
  try {
    const remote = openRemote(options);
    const source = await openSource(path, stdin);
    const report = (bytes: number) => {
      if (source.bytes !== null) progress.report('KiB read', Math.ceil(bytes / 1024), Math.ceil(source.bytes / 1024));
    };
    await importPages(remote, counted(source.chunks, report), options.namespace, tally);
    progress.stop();
    out(printable(tally.summary()));
    return tally.complete() ? 0 : 1;
  } catch (error) {
    progress.stop();
    const reason = error instanceof Error ? error.message : String(error);
    err(printable(`counterfoil: ${error instanceof NotAnExport ? `${path} is not an export: ` : ''}${reason}`));
    if (tally.any())
      out(printable(`${tally.summary()}\nThe import was not finished. Run the same command again to continue it.`));
    return 2;
  }
}

interface Source {
  readonly chunks: AsyncIterable<Uint8Array | string>;
  /** The size of the file; null for standard input, whose size is unknown. */
  readonly bytes: number | null;
}

async function openSource(path: string, stdin: Terminal['stdin']): Promise<Source> {
  if (path === '-') return { chunks: stdin, bytes: null };
  const found: Stats = await stat(path);
  if (found.isDirectory()) throw new Error(`${path} is a directory.`);
  return { chunks: createReadStream(path, { highWaterMark: 256 * 1024 }), bytes: found.isFile() ? found.size : null };
}

async function* counted(chunks: Source['chunks'], report: (bytes: number) => void): Source['chunks'] {
  let bytes = 0;
  for await (const chunk of chunks) {
    yield chunk;
    // The consumer requests the next chunk, so it has sent the memories of this one.
    bytes += Buffer.byteLength(chunk);
    report(bytes);
  }
}

/** @throws NotAnExport, Unavailable, and Error when the service refuses everything */
async function importPages(
  remote: Remote,
  chunks: Source['chunks'],
  namespace: string | undefined,
  tally: Tally,
): Promise<void> {
  // The keys belong to this run only. So a later import writes a memory again if it has been deleted since.
  const run = randomUUID();
  let pages = 0;
  let memories = 0;
  let more = true;
  const keyOf = () => {
    memories += 1;
    return `${run}-${memories}`;
  };
  for await (const text of splitPages(chunks)) {
    pages += 1;
    const page = readPage(text, pages);
    more = page.next !== null;
    await writeItems(remote, itemsOf(page, pages, namespace), tally, keyOf);
  }
  if (pages === 0) throw new NotAnExport('there is nothing in it');
  if (more) tally.missing();
}

function* itemsOf({ memories }: ExportPage, page: number, namespace: string | undefined): Generator<ImportItem> {
  for (const [index, text] of memories.entries()) {
    const memory = memoryOrReason(text);
    const target = typeof memory === 'string' || namespace === undefined ? memory : { ...memory, namespace };
    yield { place: `page ${page}, memory ${index + 1}`, memory: target };
  }
}

function readPage(text: string, number: number) {
  try {
    return readExportPage(text);
  } catch (error) {
    throw error instanceof NotAnExport ? new NotAnExport(`page ${number}: ${error.message}`) : error;
  }
}

function memoryOrReason(text: string): ExportedMemory | string {
  try {
    return readExportedMemory(text);
  } catch (error) {
    if (error instanceof NotAnExport) return error.message;
    throw error;
  }
}
