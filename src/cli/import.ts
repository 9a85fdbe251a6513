import { randomUUID } from 'node:crypto';
import { createReadStream, type Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { NotAnExport } from '../domain/export-pages.js';
import { type ImportItem, LeftOut } from '../domain/imports/imported.js';
import { exportItems } from './imports/export-items.js';
import { mem0Items } from './imports/mem0-items.js';
import { noteItems } from './imports/note-items.js';
import { createTally, type Tally } from './imports/tally.js';
import { writeItems } from './imports/writing.js';
import { type ProgressDisplay, showProgress } from './progress.js';
import { openRemote, type RemoteOptions } from './remote.js';
import { printable, type Terminal, terminal } from './terminal.js';

export interface ImportOptions extends RemoteOptions {
  /** The namespace for every memory, instead of the one from which it was exported. */
  readonly namespace?: string;
  /** The service from which the memories are; without it, an export of this one. */
  readonly from?: 'mem0' | 'basic-memory';
}

/**
 * Writes the memories of an export to a running service. Memories that exist already, by text and namespace, are
 * skipped, so an interrupted import can be repeated from its beginning.
 * @param path a file, or - for standard input; of basic-memory a directory or a ZIP archive
 * @returns the exit code: 0 when every memory of the file is in the service, 1 when some were refused or parts of the file are missing,
 * 2 when the import could not run or was not finished
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
    const items = await itemsOf(path, options, { stdin, progress, tally });
    // The keys belong to this run only. So a later import writes a memory again if it has been deleted since.
    const run = randomUUID();
    let writes = 0;
    const keyOf = () => {
      writes += 1;
      return `${run}-${writes}`;
    };
    await writeItems(into(items, options.namespace), { remote, tally, keyOf });
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

interface Reading {
  readonly stdin: Terminal['stdin'];
  readonly progress: ProgressDisplay;
  readonly tally: Tally;
}

/** @throws Error when the file or directory cannot be read */
async function itemsOf(
  path: string,
  { from }: ImportOptions,
  { stdin, progress, tally }: Reading,
): Promise<AsyncIterable<ImportItem>> {
  if (from === 'basic-memory') {
    return noteItems(path, (done, total) => {
      if (total !== null) progress.report('notes read', done, total);
    });
  }
  const source = await openSource(path, stdin);
  const report = (bytes: number) => {
    if (source.bytes !== null) progress.report('KiB read', Math.ceil(bytes / 1024), Math.ceil(source.bytes / 1024));
  };
  const chunks = counted(source.chunks, report);
  return from === 'mem0' ? mem0Items(chunks, tally) : exportItems(chunks, tally);
}

async function* into(items: AsyncIterable<ImportItem>, namespace: string | undefined): AsyncGenerator<ImportItem> {
  for await (const item of items) {
    const { memory } = item;
    const isWritten = typeof memory !== 'string' && !(memory instanceof LeftOut);
    yield isWritten && namespace !== undefined ? { ...item, memory: { ...memory, namespace } } : item;
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
