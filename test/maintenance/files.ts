import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The files of a directory that contain one of the needles, with the name of the needle. */
export function filesIn(directory: string, needles: ReadonlyMap<string, Buffer>): string[] {
  const found: string[] = [];
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const bytes = readFileSync(join(entry.parentPath, entry.name));
    for (const [name, needle] of needles) if (bytes.includes(needle)) found.push(`${entry.name}: ${name}`);
  }
  return found;
}
