import { createRuns, type Runs } from '../attribution/runs.js';
import { type Cases, createCases } from './cases.js';
import { createDesk, type Desk } from './desk.js';
import { createFills, type Fills } from './fills.js';
import type { Fold } from './fold.js';
import { createIdentities, type Identities } from './identities.js';
import { createInvoices, type Invoices } from './invoices.js';
import type { PublicReceipt, Task } from './receipt.js';
import { createServiceLevels, type ServiceLevels } from './service-levels.js';
import { createTape, type Tape } from './tape.js';
import type { TaskGroups } from './task-groups.js';
import { createTasks } from './tasks.js';
import { type Edge, windowsOf } from './windows.js';

/** The state of the market at a moment t: what all feeds are made from. */
export interface Market {
  /** Milliseconds since 1970, a whole minute. */
  readonly t: number;
  readonly tasks: TaskGroups;
  readonly runs: Runs;
  readonly cases: Cases;
  readonly tape: Tape;
  /** Not from receipts: the identities that the registry issued and verified by t are added here, before `arrive(t)`. */
  readonly identities: Identities;
  readonly desk: Desk;
  readonly fills: Fills;
  readonly serviceLevels: ServiceLevels;
  readonly invoices: Invoices;
  /** Adds receipts. Windows contain their tasks as seen from the present t. */
  add(receipts: Iterable<PublicReceipt>): void;
  /**
   * A part of the way from t to a later moment: moves these tasks over an edge. Every task that was added and ended in
   * (t − age, later − age] must be moved over the edge of that age, once, before `arrive(later)`.
   */
  cross(edge: Edge, tasks: Iterable<Task>): void;
  /** All tasks have crossed their edges: the state is that of this moment. */
  arrive(t: number): void;
}

/** @param t the moment of an empty market. A receipt that is added later counts as seen from it. */
export function createMarket(t: number): Market {
  const parts = {
    tasks: createTasks(),
    runs: createRuns(),
    cases: createCases(),
    desk: createDesk(),
    fills: createFills(),
    serviceLevels: createServiceLevels(),
    invoices: createInvoices(),
    tape: createTape(),
  };
  const folds: readonly Fold[] = Object.values(parts);
  const moving = folds.flatMap(({ move }) => move ?? []);
  let now = t;
  for (const fold of folds) fold.arrive?.(t);
  return {
    ...parts,
    identities: createIdentities(),
    get t() {
      return now;
    },
    add(receipts) {
      for (const receipt of receipts) {
        for (const fold of folds) fold.add(receipt);
        for (const window of windowsOf(receipt.task.ended_ms, now)) {
          for (const move of moving) move(receipt.task, window, 1);
        }
      }
    },
    cross({ enters, leaves }, tasks) {
      for (const task of tasks) {
        for (const move of moving) {
          for (const window of enters) move(task, window, 1);
          for (const window of leaves) move(task, window, -1);
        }
      }
    },
    arrive(later) {
      now = later;
      for (const fold of folds) fold.arrive?.(later);
    },
  };
}
