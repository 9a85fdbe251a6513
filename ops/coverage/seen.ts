import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/base/package-root.js';

/** Where the tests keep which replies they have provoked; see test/openapi/seen.ts. */
export const seenDirectory = join(packageRoot, 'coverage/api');

/** A reply that a test has provoked. */
export interface Seen {
  readonly method: string;
  /** As OpenAPI writes it; null for what is no operation. */
  readonly path: string | null;
  readonly status: number;
  readonly code: string | null;
  readonly file: string;
  readonly test: string;
}

export function readSeen(): Seen[] {
  if (!existsSync(seenDirectory)) return [];
  return readdirSync(seenDirectory).flatMap((file) =>
    readFileSync(join(seenDirectory, file), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line): Seen => JSON.parse(line)),
  );
}

export function forgetSeen(): void {
  rmSync(seenDirectory, { recursive: true, force: true });
}
