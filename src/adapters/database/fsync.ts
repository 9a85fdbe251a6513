import { closeSync, fsyncSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { withoutHoles } from './page-holes.js';

type Init = NodeFS['init'];
type Stream = { nfd?: number; path?: string };
type Write = (stream: Stream, memory: Int8Array | Uint8Array, at: number, length: number, position: number) => number;
interface StreamOps {
  write: Write;
  fsync?: (stream: Stream) => number;
}

/** ENOSPC and EDQUOT as PGlite's file system numbers them: PostgreSQL knows how to go on when a disk or a quota is full. */
const noSpace: readonly unknown[] = [51, 19];

/**
 * PGlite's file system on Node has no fsync: PostgreSQL asks for one at every commit and is told that it happened. A kill
 * of the process is harmless then, but in 60 of 60 simulated power cuts acknowledged writes were gone. This one asks the
 * operating system. And it leaves out of what is written what deleted rows have left in the pages of tables: see page-holes.ts.
 */
export class FsyncingNodeFS extends NodeFS {
  #count = 0;
  readonly #fail: (error: unknown) => never;

  /**
   * @param fail ends the engine. After a write or an fsync that failed nobody knows what is on the disk, and asking for
   * the same fsync again is answered as if all were well: the only remedy is to begin again from what can be read.
   */
  constructor(directory: string, fail: (error: unknown) => never) {
    super(directory);
    this.#fail = fail;
  }

  /** How many times an fsync has reached the operating system. */
  count(): number {
    return this.#count;
  }

  override async init(...[pg, options]: Parameters<Init>): ReturnType<Init> {
    const { emscriptenOpts } = await super.init(pg, options);
    const preRun = [emscriptenOpts.preRun ?? []].flat();
    const onAbort = (what: unknown) => this.#fail(new Error(`the engine gave up: ${what}`));
    return {
      emscriptenOpts: { ...emscriptenOpts, onAbort, preRun: [...preRun, (module) => this.#install(module.FS)] },
    };
  }

  #install(fs: { filesystems: { NODEFS: { stream_ops: StreamOps } } }): void {
    const operations = fs.filesystems.NODEFS.stream_ops;
    const { write } = operations;
    operations.write = (stream, memory, at, length, position) => {
      try {
        const bytes = new Uint8Array(memory.buffer, memory.byteOffset + at, length);
        const cleaned = withoutHoles(stream.path ?? '', bytes, position);
        return cleaned ? write(stream, cleaned, 0, length, position) : write(stream, memory, at, length, position);
      } catch (error) {
        return isNoSpace(error) ? raise(error) : this.#fail(error);
      }
    };
    operations.fsync = ({ nfd }) => {
      // A directory is opened without a descriptor of its own; its entries are made durable by the sync of its files
      // on the journaling file systems that Node runs on.
      try {
        if (nfd !== undefined) fsyncSync(nfd);
      } catch (error) {
        this.#fail(error);
      }
      this.#count += 1;
      return 0;
    };
  }
}

const isNoSpace = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'errno' in error && noSpace.includes(error.errno);

function raise(error: unknown): never {
  throw error;
}

/** Makes every file and directory below `directory` durable. */
export function syncTree(directory: string): void {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) syncTree(path);
    else if (entry.isFile()) syncPath(path);
  }
  syncPath(directory);
}

/** Makes one file or directory durable. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
