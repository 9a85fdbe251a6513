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

type Attributes = { mode?: number };
interface NodeOps {
  setattr(node: object, attributes: Attributes): void;
}

/** ENOSPC and EDQUOT as PGlite's file system numbers them. PostgreSQL can continue when a disk or a quota is full. */
const noSpace: readonly unknown[] = [51, 19];

/**
 * PGlite's file system on Node has no fsync: PostgreSQL requests one at every commit and gets a success without effect.
 * A kill of the process is harmless then, but in 60 of 60 simulated power failures acknowledged writes were lost. This
 * file system calls the fsync of the operating system. It also removes the remains of deleted rows from the pages that
 * it writes: see page-holes.ts.
 */
export class FsyncingNodeFS extends NodeFS {
  #count = 0;
  readonly #fail: (error: unknown) => never;

  /**
   * @param fail ends the engine. After a failed write or fsync the content of the disk is unknown, and a repeated fsync
   * reports success although the data is lost. So the engine must be opened again from the data that can be read.
   */
  constructor(directory: string, fail: (error: unknown) => never) {
    super(directory);
    this.#fail = fail;
  }

  /** The number of fsync calls that have reached the operating system. */
  count(): number {
    return this.#count;
  }

  override async init(...[pg, options]: Parameters<Init>): ReturnType<Init> {
    const { emscriptenOpts } = await super.init(pg, options);
    const preRun = [emscriptenOpts.preRun ?? []].flat();
    const onAbort = (what: unknown) => this.#fail(new Error(`the engine aborted: ${what}`));
    return {
      emscriptenOpts: { ...emscriptenOpts, onAbort, preRun: [...preRun, (module) => this.#install(module.FS)] },
    };
  }

  #install(fs: { filesystems: { NODEFS: object } }): void {
    const { NODEFS } = fs.filesystems;
    if (!hasOperations(NODEFS)) throw new Error('the file system of the engine has no operations');
    keepPrivate(NODEFS.node_ops);
    const operations = NODEFS.stream_ops;
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
      // A directory has no descriptor here. On journaling file systems its entries become durable when its files are synced.
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

/**
 * PostgreSQL makes a few of its files readable for others, such as pg_internal.init, which it writes while it serves. It sets their modes by
 * itself, so the mask of the process does not help.
 */
function keepPrivate(operations: NodeOps): void {
  const { setattr } = operations;
  operations.setattr = (node, attributes) => {
    const { mode } = attributes;
    return setattr(node, mode === undefined ? attributes : { ...attributes, mode: mode & ~0o077 });
  };
}

/** The types of the engine do not name its operations. */
const hasOperations = (system: object): system is { stream_ops: StreamOps; node_ops: NodeOps } =>
  'stream_ops' in system && 'node_ops' in system;

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
