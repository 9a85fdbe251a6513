/** The time was over before the work had ended. */
export class DeadlinePassed extends Error {
  override name = 'DeadlinePassed';
  constructor(readonly ms: number) {
    super(`it took longer than ${ms} ms`);
  }
}

/** The work was given up before its time was over. */
export class Cancelled extends Error {
  override name = 'Cancelled';
  constructor() {
    super('it was cancelled');
  }
}

/**
 * Waits for work until its time is over or one of the signals is aborted. The wait ends then even if the work ignores its own
 * signal, because a library may lose track of a request whose peer does something unexpected; what the work has opened is
 * closed by that signal. The timer keeps the process alive, so that no command ends before its answer or its deadline.
 * @param work its signal is aborted when the wait ends early
 * @throws DeadlinePassed, Cancelled, or what the work throws
 */
export async function withDeadline<T>(
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
  ...signals: readonly (AbortSignal | undefined)[]
): Promise<T> {
  if (signals.some((signal) => signal?.aborted)) throw new Cancelled();
  const ending = new AbortController();
  let release = () => {};
  const ended = new Promise<never>((_, reject) => {
    const end = (reason: Error) => {
      reject(reason);
      ending.abort(reason);
    };
    const timer = setTimeout(() => end(new DeadlinePassed(ms)), ms);
    const cancel = () => end(new Cancelled());
    for (const signal of signals) signal?.addEventListener('abort', cancel, { once: true });
    release = () => {
      clearTimeout(timer);
      for (const signal of signals) signal?.removeEventListener('abort', cancel);
    };
  });
  try {
    // The race also takes the error of work that fails later, which has no other reader.
    return await Promise.race([work(ending.signal), ended]);
  } finally {
    release();
  }
}

/**
 * What work gives; `late` when it takes longer than `ms`. The work continues then, and an error that it throws later has no reader.
 * The time is that of the machine: a clock of tests may stand still.
 */
export async function orLate<T, L>(ms: number, work: Promise<T>, late: L): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<L>((resolve) => {
    timer = setTimeout(() => resolve(late), ms);
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}
