import { openOperation } from '../commands/operation-due.js';
import {
  endOperation,
  isOperationOpen,
  type OperatingProcess,
  type OperationEnd,
  type OperationKind,
  type Progress,
  renewOperation,
  takeOperation,
} from '../commands/operation-jobs.js';
import type { Database } from '../database/database.js';
import type { DueJob } from '../workers/lookout.js';
import type { MaintenanceCommand, Outcome } from './command.js';

/** How often a process looks for a job, and how often it notes the progress of the one that it carries out. */
const napMs = 5000;
const renewMs = 1000;

/** The most faults of a job that are kept, and the most characters of each text. */
const namedFaults = 100;
const shownCharacters = 2000;

interface Parts {
  /** For the rows of jobs. The command has a database of its own. */
  readonly database: Database;
  readonly process: OperatingProcess;
}

/** Ends a command at its next report of progress. */
class Interrupted extends Error {}

/**
 * Carries out the maintenance commands that operators start over HTTP. A process that is killed leaves its job to be noted as
 * interrupted, and what the command leaves is dropped by the next one. Nothing is repeated by itself: a job that ends its process
 * would end the next one too.
 */
export function operationJob({ database, process }: Parts, kind: OperationKind, command: MaintenanceCommand): DueJob {
  return {
    name: kind,
    due: openOperation(kind),
    napMs,
    async work(stopping) {
      if (!(await database.read((tx) => isOperationOpen(tx, kind)))) return false;
      const taken = await database.transaction((tx) => takeOperation(tx, kind, process));
      if (!taken) return false;
      const { job_id: id, models } = taken;
      const watch = watching(stopping, (progress) =>
        database.transaction((tx) => renewOperation(tx, id, process, progress)),
      );
      const end = await endOf(command, models, watch);
      await watch.close();
      await database.transaction((tx) => endOperation(tx, id, process, end));
      return true;
    },
  };
}

interface Watch {
  /** @throws Interrupted when the process stops, or the job was taken from it */
  report(part: string, done: number, total: number): void;
  isInterrupted(): boolean;
  /** Notes the last progress. */
  close(): Promise<void>;
}

/** Notes the progress of a job while it is carried out. @param renew false when the job is not this process's any more */
function watching(stopping: AbortSignal, renew: (progress: Progress | null) => Promise<boolean>): Watch {
  let progress: Progress | null = null;
  let isLost = false;
  let renewing = Promise.resolve();
  let isRenewing = false;
  const note = async () => {
    isRenewing = true;
    // Where the database is away for a moment, the next renewal is in time. The command says when it is away for longer.
    isLost ||= await renew(progress).then(
      (isOurs) => !isOurs,
      () => false,
    );
    isRenewing = false;
  };
  const timer = setInterval(() => {
    if (!isRenewing) renewing = note();
  }, renewMs);
  const isInterrupted = () => stopping.aborted || isLost;
  return {
    report(part, done, total) {
      progress = { part, done, total };
      if (isInterrupted()) throw new Interrupted();
    },
    isInterrupted,
    async close() {
      clearInterval(timer);
      await renewing;
      await note();
    },
  };
}

async function endOf(command: MaintenanceCommand, models: readonly string[], watch: Watch): Promise<OperationEnd> {
  try {
    const outcome = await command(models, watch.report);
    // A check takes an error for a fault once it has found others, so it can end as if nothing had stopped it.
    return watch.isInterrupted() ? interrupted : ended(outcome);
  } catch (error) {
    if (watch.isInterrupted()) return interrupted;
    return { state: 'failed', reason: cut(error instanceof Error ? error.message : String(error)) };
  }
}

const interrupted: OperationEnd = { state: 'interrupted', reason: 'The process that carried it out was stopped.' };

function ended({ ok, text, faultCount }: Outcome): OperationEnd {
  if (ok) return { state: 'done', result: cut(text), faultCount: faultCount ?? null, faults: [] };
  if (faultCount === undefined) return { state: 'failed', reason: cut(text) };
  return { state: 'done', result: null, faultCount, faults: text.split('\n').slice(0, namedFaults).map(cut) };
}

/** The database takes no NUL and no half of a pair of code units. */
const cut = (text: string): string => text.slice(0, shownCharacters).replaceAll('\0', '\ufffd').toWellFormed();
