import type { World } from '../base/world.js';
import type { Run } from '../commands/run.js';
import type { Database } from '../database/database.js';
import type { Ledger } from '../ledger/ledger.js';
import type { OnLabelledProgress } from './fsck.js';

/** The parts that are needed to write to the chains of workspaces. */
export interface Operation {
  readonly database: Database;
  readonly ledger: Ledger;
  readonly run: Run;
  /** Awaited before anything is written to the ledger. @throws when it is not the ledger of the store */
  requireHome(): Promise<void>;
  readonly world: World;
}

/** The end of a maintenance command: a text for people, and whether everything is as it should be. */
export interface Outcome {
  readonly ok: boolean;
  readonly text: string;
  /** The work was done, and the text names places where something of it remains to be done by others. Only when not ok. */
  readonly remains?: true;
  /** How many faults a check has found. Each line of the text is about one of those that it names. */
  readonly faultCount?: number;
}

/** @throws when it cannot run at all; a fault that it finds is an outcome */
export type MaintenanceCommand = (args: readonly string[], onProgress: OnLabelledProgress) => Promise<Outcome>;
