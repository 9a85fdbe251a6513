import type { Fold } from '../state/fold.js';
import type { Task } from '../state/receipt.js';
import { moveTask, noRun, type Run } from './run.js';

/** A name under which a workspace runs tasks together. */
export interface Workflow {
  /** The tag of the workspace. */
  readonly tag: string;
  readonly name: string;
  /** The number of outcomes in all of its runs. */
  outcomes: number;
  /** By the id of the run, which is private. */
  readonly runs: Map<string, Run>;
}

/** The runs of workflows, made of their tasks of 30 days. */
export interface Runs extends Fold {
  /** Also workflows whose receipts state no outcome. */
  workflows(): Iterable<Workflow>;
}

export function createRuns(): Runs {
  const workflows = new Map<string, Workflow>();

  const move = (task: Task, name: string, id: string, by: 1 | -1) => {
    const key = `${task.workspace} ${name}`;
    const workflow = workflows.get(key) ?? { tag: task.workspace, name, outcomes: 0, runs: new Map<string, Run>() };
    const run = workflow.runs.get(id) ?? noRun();
    moveTask(run, task, by);
    if (task.outcome_value_micros !== null) workflow.outcomes += by;
    if (run.parts.size === 0) workflow.runs.delete(id);
    else workflow.runs.set(id, run);
    if (workflow.runs.size === 0) workflows.delete(key);
    else workflows.set(key, workflow);
  };

  return {
    add: () => undefined,
    move(task, window, by) {
      if (window === 'month' && task.workflow !== null && task.run !== null) move(task, task.workflow, task.run, by);
    },
    workflows: () => workflows.values(),
  };
}
