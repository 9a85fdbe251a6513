import type { OpenedDatabase } from '../../database/database.js';
import type { Outcome } from '../command.js';
import { heldVersions } from '../held-versions.js';
import type { Rebuildable } from '../rebuildable.js';
import type { OnProgress } from '../rebuilt-copy.js';
import { fillPrepared } from './fill.js';
import {
  contentsOf,
  createPrepared,
  dropPrepared,
  findPrepared,
  isSame,
  openPrepared,
  preparedSchema,
} from './schema.js';

export interface Preparing {
  /** The version of this program. */
  readonly program: string;
  readonly onProgress: OnProgress;
  /** Shows a line to the operator. */
  say(line: string): void;
}

/**
 * Builds the read models that this version would build at its start, beside those of the version that serves. It writes
 * nothing else, so that version notices only that erasures wait for a batch now and then.
 */
export async function prepare(
  database: Pick<OpenedDatabase, 'read' | 'readEach' | 'transaction' | 'maintain' | 'close'>,
  all: readonly Rebuildable[],
  { program, onProgress, say }: Preparing,
): Promise<Outcome> {
  const held = await heldVersions(database);
  if (held.size === 0) throw new Error('The database holds no store yet. Start the service once.');
  const changed = all.filter(({ name, version }) => held.get(name) !== version);
  const models = changed.filter(({ projection }) => projection !== null);
  const later = changed.flatMap(({ name, projection }) => (projection === null ? [name] : []));
  const found = await database.read(findPrepared);
  if (models.length === 0)
    return { ok: true, text: [nothing, ...laterLine(later), ...remainingLine(found?.program)].join('\n') };
  const contents = contentsOf(program, models);
  if (found && !isSame(found, contents)) say(`What version ${found.program} had prepared is thrown away.`);
  if (!found || !isSame(found, contents)) {
    say(
      `The tables that are built again have ${await sizeOf(database, tablesOf(models))}. The new ones need about as much room beside them.`,
    );
    await database.transaction(async (tx) => {
      if (found) await dropPrepared(tx);
      await createPrepared(tx, models, contents);
    });
  }
  const tables = await openPrepared(database);
  await fillPrepared(database, models, tables, onProgress);
  const names = tablesOf(models).map((table) => `${preparedSchema}.${table}`);
  // The start then finds statistics, and pages that a vacuum need not read again.
  for (const table of names) await database.maintain(`vacuum (analyze, truncate off) ${table}`);
  const lines = [
    `Prepared: ${models.map(({ name }) => name).join(', ')} (${await sizeOf(database, names)}).`,
    ...laterLine(later),
    'Now stop every process of the old version and start this one, which applies only what came since. Repeat this command first if that is not soon.',
    'If this version will not be started: counterfoil prepare --discard',
  ];
  return { ok: true, text: lines.join('\n') };
}

/** Removes what was prepared. The version that serves needs nothing of it. */
export async function discardPrepared(database: Pick<OpenedDatabase, 'read' | 'transaction'>): Promise<Outcome> {
  const found = await database.read(findPrepared);
  if (!found) return { ok: true, text: 'Nothing is prepared.' };
  await database.transaction(dropPrepared);
  return { ok: true, text: `What version ${found.program} had prepared is removed.` };
}

const nothing = 'Nothing has to be prepared: this version builds no read model before it serves.';

const laterLine = (names: readonly string[]): string[] =>
  names.length === 0 ? [] : [`Built after the start, while the service answers: ${names.join(', ')}.`];

const remainingLine = (program: string | undefined): string[] =>
  program === undefined
    ? []
    : [`What version ${program} prepared is still there. To remove it: counterfoil prepare --discard`];

const tablesOf = (models: readonly Rebuildable[]): string[] => models.flatMap(({ tables }) => tables);

async function sizeOf(database: Pick<OpenedDatabase, 'read'>, tables: readonly string[]): Promise<string> {
  const [row] = await database.read((tx) =>
    tx.query<{ size: string }>(
      'select pg_size_pretty(coalesce(sum(pg_total_relation_size(to_regclass(name))), 0)) as size from unnest($1::text[]) name',
      [tables],
    ),
  );
  return row?.size ?? 'an unknown size';
}
