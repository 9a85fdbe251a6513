import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writeDurably } from '../database/durable-file.js';
import type { Objection, Objections } from '../tlog/objections.js';

const objectionFile = z.strictObject({
  format: z.literal('counterfoil-objections/1'),
  objections: z.array(
    z.strictObject({
      witness: z.string(),
      size: z.int().nonnegative(),
      reason: z.string(),
      seen_at: z.string(),
      dismissed_at: z.string().nullable(),
    }),
  ),
});
type Stored = z.output<typeof objectionFile>['objections'][number];

/**
 * Stores objections of witnesses in a file beside the signing keys and not in the database, because restoring an old
 * database would remove them.
 */
export function objectionStore(directory: string, now: () => Date): Objections {
  const path = join(directory, 'objections.json');

  function read(): readonly Stored[] {
    if (!existsSync(path)) return [];
    try {
      return objectionFile.parse(JSON.parse(readFileSync(path, 'utf8'))).objections;
    } catch {
      throw new Error(`${path} is not what this service has written. Put its backup back.`);
    }
  }

  function write(objections: readonly Stored[]): void {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    writeDurably(path, `${JSON.stringify({ format: 'counterfoil-objections/1', objections }, null, 2)}\n`);
  }

  const openOnes = () => read().filter(({ dismissed_at }) => dismissed_at === null);
  return {
    open: () => openOnes().map(({ witness, size, reason }) => ({ witness, size, reason })),
    record({ witness, size, reason }: Objection) {
      const all = read();
      // A dismissed objection is repeated at every round, and one open objection is enough to stop the log.
      const isKnown = (one: Stored) => one.witness === witness && (one.size === size || one.dismissed_at === null);
      if (all.some(isKnown)) return;
      write([...all, { witness, size, reason, seen_at: now().toISOString(), dismissed_at: null }]);
    },
    dismiss() {
      const dismissed_at = now().toISOString();
      write(read().map((one) => ({ ...one, dismissed_at: one.dismissed_at ?? dismissed_at })));
    },
  };
}
