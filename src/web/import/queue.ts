import type { Named } from './read.js';
import { type Sent, send } from './send.js';
import { note, type Task, tasksOf, type Upload, uploadOf } from './upload.js';

/** Requests that are on their way at the same time. */
const atOnce = 3;

/** The stop of everything, with its reason. */
export type Stop = Extract<Sent, { is: 'stopped' }>;

export interface Watching {
  /** Something that is shown has changed: of this file, or with null perhaps of every file. A look at each of 500 files takes long. */
  changed(upload: Upload | null): void;
  waits(seconds: number | null): void;
  /** Something is stored, so the session is still there. */
  stored(): void;
}

/** Sends files one after the other, three parts of them at once, and stops where the service would refuse everything that follows. */
export class Queue {
  readonly uploads: Upload[] = [];
  stop: Stop | null = null;
  isRunning = false;
  readonly #watching: Watching;

  constructor(watching: Watching) {
    this.#watching = watching;
  }

  add(file: Named, namespace: string): Upload {
    const upload = uploadOf(file, namespace);
    this.uploads.push(upload);
    return upload;
  }

  /** Sends everything that is not acknowledged; what is added meanwhile, too. */
  async run(): Promise<void> {
    if (this.isRunning) return;
    this.isRunning = true;
    this.stop = null;
    for (const upload of this.uploads) if (upload.state !== 'done' && upload.fault === '') upload.state = 'waits';
    this.#watching.changed(null);
    const tasks = this.#tasks();
    await Promise.all(Array.from({ length: atOnce }, () => this.#work(tasks)));
    this.isRunning = false;
    this.#watching.changed(null);
  }

  async *#tasks(): AsyncGenerator<Task> {
    for (;;) {
      const next = this.uploads.find(({ state }) => state === 'waits');
      if (next === undefined) return;
      yield* tasksOf(next, () => this.#watching.changed(next));
    }
  }

  async #work(tasks: AsyncGenerator<Task>): Promise<void> {
    for await (const task of shared(tasks)) {
      if (this.stop !== null) return;
      const sent = await send(task, (seconds) => this.#watching.waits(seconds));
      if (sent.is === 'stopped') this.stop ??= sent;
      else note(task, sent);
      this.#watching.changed(task.upload);
      if (sent.is === 'stored') this.#watching.stored();
    }
  }
}

/** The same tasks for several workers: a worker that ends does not end them for the rest. */
const shared = (tasks: AsyncGenerator<Task>): AsyncIterable<Task> => ({
  [Symbol.asyncIterator]: () => ({ next: () => tasks.next() }),
});

export const createQueue = (watching: Watching): Queue => new Queue(watching);
