import { randomUUID } from 'node:crypto';
import { createReadStream, type Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { z } from 'zod';
import {
  type ExportedMemory,
  NotAnExport,
  readExportedMemory,
  readExportPage,
  splitPages,
} from '../domain/export-pages.js';
import { RawJson, stringify } from '../domain/json-text.js';
import { createTally, type Tally } from './import-tally.js';
import { type ProgressDisplay, showProgress } from './progress.js';
import { openRemote, type Remote, type RemoteOptions, readAnswer, readRefusal } from './remote.js';
import { printable, type Terminal, terminal } from './terminal.js';

export interface ImportOptions extends RemoteOptions {
  /** The namespace for every memory, instead of the one from which it was exported. */
  readonly namespace?: string;
}

/** The number of concurrent writes. The service commits waiting writes of one chain together. */
const atOnce = 8;

/** Refusals because of the credential. Every other memory would be refused too. */
const callerRefusals = new Set([
  'unauthorized',
  'session_expired',
  'credential_not_supported',
  'insufficient_scope',
  'key_has_no_namespaces',
  'read_only',
  'not_found',
]);

const accepted = z.object({ memory_id: z.string(), duplicate: z.boolean() });

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
  for await (const text of splitPages(chunks)) {
    pages += 1;
    const page = readPage(text, pages);
    more = page.next !== null;
    const waiting = page.memories.entries();
    let stopped = false;
    const worker = async () => {
      for (const [index, memory] of waiting) {
        if (stopped) return;
        memories += 1;
        const place = `page ${pages}, memory ${index + 1}`;
        await importOne(remote, memory, namespace, { key: `${run}-${memories}`, place, tally });
      }
    };
    const stop = (error: unknown) => {
      stopped = true;
      throw error;
    };
    const ended = await Promise.allSettled(Array.from({ length: atOnce }, () => worker().catch(stop)));
    const failed = ended.find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
  }
  if (pages === 0) throw new NotAnExport('there is nothing in it');
  if (more) tally.missing();
}

function readPage(text: string, number: number) {
  try {
    return readExportPage(text);
  } catch (error) {
    throw error instanceof NotAnExport ? new NotAnExport(`page ${number}: ${error.message}`) : error;
  }
}

interface At {
  readonly key: string;
  readonly place: string;
  readonly tally: Tally;
}

async function importOne(
  remote: Remote,
  text: string,
  namespace: string | undefined,
  { key, place, tally }: At,
): Promise<void> {
  const memory = memoryOrReason(text);
  if (typeof memory === 'string') return tally.refused(place, 'not_a_memory', memory);
  const { content, metadata, source, playground } = memory;
  const target = namespace ?? memory.namespace;
  const answer = await remote.ask('/v1/memories', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: stringify({ content, metadata: new RawJson(metadata), source, playground, namespace: target }),
    maxBytes: 1024 * 1024,
  });
  if (answer.status === 200 || answer.status === 202) {
    const { duplicate } = readAnswer(remote, answer, accepted);
    return duplicate ? tally.there() : tally.written();
  }
  const { code, message } = readRefusal(remote, answer);
  if (callerRefusals.has(code)) throw new Error(`${remote.url} refuses every write: ${code}: ${message}`);
  if (code === 'namespace_not_found') tally.unknownNamespace(target);
  tally.refused(place, code, message);
}

function memoryOrReason(text: string): ExportedMemory | string {
  try {
    return readExportedMemory(text);
  } catch (error) {
    if (error instanceof NotAnExport) return error.message;
    throw error;
  }
}
