import { noteSessionUse } from '../../projections/account/sessions.js';
import { noteUse } from '../../projections/uses/uses.js';
import type { World } from '../base/world.js';
import type { Database } from '../database/database.js';
import { createNotedUses } from '../http/noted-uses.js';

interface Core {
  readonly world: World;
  /** Where uses are written, behind the statements of requests. */
  readonly background: Database;
}

/** Notes uses of keys and grants. */
export const notedUses = ({ world, background }: Core) =>
  createNotedUses(world.now, (id, at) => background.transaction((tx) => noteUse(tx, id, at)));

/** Notes uses of sessions. */
export const notedSessions = ({ world, background }: Core) =>
  createNotedUses(world.now, (id, at) => background.transaction((tx) => noteSessionUse(tx, id, at)));
