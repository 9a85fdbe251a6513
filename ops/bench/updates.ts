import { join } from 'node:path';
import { z } from 'zod';
import { packageRoot } from '../../src/base/package-root.js';
import { machineLine, table } from './machine.js';
import { startService, temporaryDirectory, untilSettled, withClients } from './service.js';
import { type Case, readCases } from './updates/cases.js';

const found = z.object({ data: z.array(z.object({ content: z.string() })) });

/** The first hit of each case; null if it has none. */
type FirstHits = ReadonlyMap<Case, string | null>;

/**
 * Asks for facts that were superseded, and for one of two facts that are alike. All memories are in one namespace and written in
 * the order of the files; those of a chat have a source of their own, all records together one, and notes and tickets none.
 * @param shown print the questions whose first hit is another memory than the right one
 */
export async function benchUpdates(shown: boolean, env: Readonly<Record<string, string>>): Promise<void> {
  const cases = readCases(join(packageRoot, 'ops/bench/updates'));
  const store = temporaryDirectory();
  try {
    const service = await startService(store.path, 8189, env);
    const memories = cases.flatMap((one, i) => one.memories.map((content) => ({ content, ...sourceOf(one, i) })));
    const { status } = await service.post('/v1/memories/batch', { memories });
    if (status >= 300) throw new Error(`the memories were answered with ${status}`);
    await untilSettled(service);
    const hits = new Map<Case, string | null>();
    await withClients(2, cases, async (one) => {
      const { json } = await service.post('/v1/memories/search', { query: one.query, k: 1 });
      hits.set(one, found.parse(json).data[0]?.content ?? null);
    });
    await service.stop();
    print(cases, hits);
    if (shown) for (const miss of misses(cases, hits)) console.log(miss);
  } finally {
    store.remove();
  }
}

function sourceOf({ kind, style }: Case, i: number): { source?: string } {
  if (style === 'chat') return { source: `chat ${i}` };
  return style === 'records' ? { source: `records of ${kind}` } : {};
}

function print(cases: readonly Case[], hits: FirstHits): void {
  const styles = [...new Set(cases.map(({ style }) => style))];
  const row = (name: string, some: readonly Case[]) => {
    const share = (is: (one: Case, hit: string) => boolean) => {
      const count = some.filter((one) => is(one, hits.get(one) ?? '')).length;
      return (count / some.length).toFixed(3);
    };
    return [
      name,
      String(some.length),
      share(({ right }, hit) => hit === right),
      share(({ wrong }, hit) => wrong.includes(hit)),
    ];
  };
  const rows = (['updates', 'twins'] as const).flatMap((kind) => {
    const own = cases.filter((one) => one.kind === kind);
    return [
      ...styles.map((style) =>
        row(
          `${kind}, ${style}`,
          own.filter((one) => one.style === style),
        ),
      ),
      ...[false, true].map((held) =>
        row(
          `${kind}, ${held ? 'held out' : 'to choose on'}`,
          own.filter(({ isHeldOut }) => isHeldOut === held),
        ),
      ),
      row(`${kind}, all`, own),
    ];
  });
  console.log(`${machineLine()}\n\n${table([['cases', 'questions', 'right first', 'wrong first'], ...rows])}`);
}

const misses = (cases: readonly Case[], hits: FirstHits): string[] =>
  cases
    .filter((one) => hits.get(one) !== one.right)
    .map((one) => `${one.kind}, ${one.style}: ${one.query} → ${hits.get(one) ?? 'nothing'}`);
