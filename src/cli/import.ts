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
  /** Takes every memory, instead of the one that it was exported from. */
  readonly namespace?: string;
}

/** Writes that are under way at once. The service commits what waits for one chain together. */
const atOnce = 8;

/** Refusals that every other memory would meet too: of the credential, not of what was sent. */
const ofTheCaller = new Set([
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
 * Writes the memories of an export to a running service. What is there already, by its text and namespace, is left alone,
 * so an import that was broken off is repeated from its beginning.
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
      out(printable(`${tally.summary()}\nThe import was not finished. The same command goes on with it.`));
    return 2;
  }
}

interface Source {
  readonly chunks: AsyncIterable<Uint8Array | string>;
  /** Null where nobody knows before the end. */
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
    // Asked for more: what was in it before has been sent.
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
  // Of this run alone: after it, a memory that was deleted since is written again and not just said to be there.
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
  const goesTo = namespace ?? memory.namespace;
  const answer = await remote.ask('/v1/memories', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: stringify({ content, metadata: new RawJson(metadata), source, playground, namespace: goesTo }),
    maxBytes: 1024 * 1024,
  });
  if (answer.status === 200 || answer.status === 202) {
    const { duplicate } = readAnswer(remote, answer, accepted);
    return duplicate ? tally.there() : tally.written();
  }
  const { code, message } = readRefusal(remote, answer);
  if (ofTheCaller.has(code)) throw new Error(`${remote.url} refuses every write: ${code}: ${message}`);
  if (code === 'namespace_not_found') tally.unknownNamespace(goesTo);
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
