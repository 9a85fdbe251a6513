/** The parts of the process that a stop needs. */
interface Stoppable {
  on(signal: NodeJS.Signals, listener: () => void): unknown;
  exit(code: number): void;
  say(line: string): void;
}

/** A terminal that is closed sends SIGHUP, and some supervisors send it to restart a service. */
export const stopSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Supervisors kill a process that has not ended after 10 s. */
const patienceMs = 9000;

/**
 * Ends the process when it is asked to: with 0 when everything has ended, and with 1 and a sentence when something failed or
 * was still running after the deadline.
 * @param close finishes requests in flight, stops workers at a safe point, and closes the store
 */
export function stopOnSignals(host: Stoppable, close: () => Promise<void>, deadlineMs = patienceMs): void {
  let stopping = false;
  const stop = (signal: string) => {
    if (stopping) return;
    stopping = true;
    const forced = setTimeout(() => {
      host.say(
        `counterfoil: Work was still running ${deadlineMs / 1000} s after ${signal}, so the service ended without it. Nothing that was acknowledged is lost.`,
      );
      host.exit(1);
    }, deadlineMs);
    close()
      .then(
        () => host.exit(0),
        (error: unknown) => {
          const reason = error instanceof Error ? error.message : String(error);
          host.say(
            `counterfoil: The service could not be stopped in order: ${reason}. Nothing that was acknowledged is lost.`,
          );
          host.exit(1);
        },
      )
      .finally(() => clearTimeout(forced));
  };
  for (const signal of stopSignals) host.on(signal, () => stop(signal));
}
