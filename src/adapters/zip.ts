import { openPromise } from 'yauzl';

/** A file of a ZIP archive. */
interface ZippedFile {
  readonly path: string;
  /** By the type that Unix gives to files, if the archive names one. */
  readonly isLink: boolean;
  /** As the archive states it. Reading ends with an error if there is more. */
  readonly bytes: number;
  read(): Promise<Uint8Array>;
}

const [fileTypes, link] = [0o170000, 0o120000];

/**
 * The files of an archive, one after the other; each must be read before the next one is requested.
 * @throws Error when it is no archive, or a name in it leads out of it
 */
export async function* zippedFiles(path: string): AsyncGenerator<ZippedFile> {
  const archive = await openPromise(path, { lazyEntries: true, autoClose: false, strictFileNames: true });
  try {
    for await (const entry of archive.eachEntry()) {
      if (entry.fileName.endsWith('/')) continue;
      yield {
        path: entry.fileName,
        isLink: ((entry.externalFileAttributes >>> 16) & fileTypes) === link,
        bytes: entry.uncompressedSize,
        async read() {
          const parts: Uint8Array[] = [];
          for await (const part of await archive.openReadStreamPromise(entry)) parts.push(part);
          return Buffer.concat(parts);
        },
      };
    }
  } finally {
    archive.close();
  }
}
