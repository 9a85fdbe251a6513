import type { Named } from './read.js';

/** The files of a field, with the path of those in a folder. */
export function filesOf(field: HTMLInputElement): readonly Named[] {
  return [...(field.files ?? [])].map((file) => ({ name: file.webkitRelativePath || file.name, file }));
}

/** The files that were dropped, those in folders too. */
export async function filesIn({ items, files }: DataTransfer): Promise<readonly Named[]> {
  // All entries first: the list of a drop is empty as soon as its event is over.
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  if (entries.length === 0) return [...files].map((file) => ({ name: file.name, file }));
  return (await Promise.all(entries.map(filesBelow))).flat();
}

async function filesBelow(entry: FileSystemEntry): Promise<readonly Named[]> {
  const name = entry.fullPath.replace(/^\//, '');
  if (entry instanceof FileSystemFileEntry) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    return [{ name, file }];
  }
  if (!(entry instanceof FileSystemDirectoryEntry)) return [];
  const reader = entry.createReader();
  const found: FileSystemEntry[] = [];
  // A browser gives a folder in pieces, and an empty one at the end.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) break;
    found.push(...some);
  }
  const below: Named[] = [];
  for (const one of found) below.push(...(await filesBelow(one)));
  return below;
}
