import { constants, type Dirent } from 'node:fs';
import { open, opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { limits } from '../../../contracts/limits.js';
import { zippedFiles } from '../../adapters/zip.js';

/** A Markdown file: its path in the directory or archive, and its bytes or a sentence that says why they are not read. */
export interface NoteFile {
  readonly path: string;
  readonly bytes: Uint8Array | string;
}

/** The content of a memory, and the front matter. */
const mostBytes = limits.contentBytes + 64 * 1024;
const mostNotes = 100_000;
const mostLevels = 64;

const tooLarge = `it has more than ${mostBytes.toLocaleString('en')} bytes`;
const isLink = 'it is a symbolic link, which an import does not follow';

/**
 * The Markdown files of a directory and the directories below it, or of a ZIP archive. Files and directories whose names begin
 * with a dot are left out.
 * @param report gets the number of files that were looked at, and how many there are if that is known
 */
export async function* noteFiles(
  path: string,
  report: (done: number, total: number | null) => void,
): AsyncGenerator<NoteFile> {
  const isDirectory = (await stat(path)).isDirectory();
  yield* isDirectory ? filesIn(path, report) : filesOfArchive(path, report);
}

async function* filesIn(root: string, report: (done: number, total: number) => void): AsyncGenerator<NoteFile> {
  const found = await listed(root);
  for (const [n, { path, isSymbolicLink }] of found.entries()) {
    yield { path, bytes: isSymbolicLink ? isLink : await fileBytes(join(root, path)) };
    report(n + 1, found.length);
  }
}

interface Listed {
  readonly path: string;
  readonly isSymbolicLink: boolean;
}

/** In the order of their paths, so that a repeated import sends the same notes in the same order. */
async function listed(root: string): Promise<Listed[]> {
  const found: Listed[] = [];
  const waiting = [{ folder: '', level: 0 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { folder, level } = next;
    for await (const entry of await opendir(join(root, folder))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.name.startsWith('.')) continue;
      if (entry.isDirectory() && level < mostLevels) waiting.push({ folder: path, level: level + 1 });
      if (isNote(entry)) found.push({ path, isSymbolicLink: entry.isSymbolicLink() });
      if (found.length > mostNotes) throw new Error(`${root} has more than ${mostNotes.toLocaleString('en')} notes.`);
    }
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

const isMarkdown = (name: string): boolean => /\.md$/i.test(name);
/** Links to directories are named too: what they lead to is missing in the import. */
const isNote = (entry: Dirent): boolean => (entry.isFile() && isMarkdown(entry.name)) || entry.isSymbolicLink();

/** A file that was exchanged for a link or a pipe since it was listed is not read either. */
async function fileBytes(path: string): Promise<Uint8Array | string> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch((error: Error) => error);
  if (file instanceof Error) return `it cannot be read: ${file.message}`;
  try {
    const { size } = await file.stat();
    if (size > mostBytes) return tooLarge;
    const buffer = Buffer.alloc(mostBytes + 1);
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    return bytesRead > mostBytes ? tooLarge : buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

async function* filesOfArchive(path: string, report: (done: number, total: null) => void): AsyncGenerator<NoteFile> {
  await requireArchive(path);
  let seen = 0;
  for await (const file of zippedFiles(path)) {
    seen += 1;
    if (seen > mostNotes) throw new Error(`${path} has more than ${mostNotes.toLocaleString('en')} files.`);
    report(seen, null);
    const isHidden = file.path.split('/').some((name) => name.startsWith('.') || name === '__MACOSX');
    if (isHidden || !isMarkdown(file.path)) continue;
    if (file.isLink) yield { path: file.path, bytes: isLink };
    else if (file.bytes > mostBytes) yield { path: file.path, bytes: tooLarge };
    else
      yield {
        path: file.path,
        bytes: await file.read().catch((error: Error) => `it cannot be read: ${error.message}`),
      };
  }
}

/** The library speaks of signatures in the file, which says nothing to people who gave a single note. */
async function requireArchive(path: string): Promise<void> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0);
    if (bytesRead < 2 || buffer.toString('latin1') !== 'PK') {
      throw new Error(`${path} is neither a directory of notes nor a ZIP archive of one.`);
    }
  } finally {
    await file.close();
  }
}
