import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from './package-root.js';

/** The version of this program, as its package says. */
export function packageVersion(): string {
  const { version }: { version: string } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));
  return version;
}
