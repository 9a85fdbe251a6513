import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { packageRoot } from '../../base/package-root.js';

/** The styles and scripts of pages. The build gives each an address that changes with its content. */
export const fileNames = [
  'pages.css',
  'live.js',
  'agent-key.js',
  'ed25519.js',
  'check.js',
  'import.js',
  'import-files.js',
  'verify.css',
  'verify-result.css',
  'verify.js',
  'developers.css',
  'developers-text.css',
  'developers.js',
] as const;
export type FileName = (typeof fileNames)[number];

const addresses = z.record(z.enum(fileNames), z.string());
let read: z.output<typeof addresses> | undefined;

/** The address of a style or script. @throws Error before the build has made the files */
export function addressOf(name: FileName): string {
  read ??= addresses.parse(JSON.parse(readFileSync(join(packageRoot, 'dist/web/files.json'), 'utf8')));
  return read[name];
}
