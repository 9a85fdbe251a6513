import type { Writable } from 'node:stream';
import { SingleBar } from 'cli-progress';
import type { OnLabelledProgress } from '../maintenance/fsck.js';
import { output } from './terminal.js';

/**
 * The time before the first line and between two lines without a terminal, in milliseconds: the mail of a nightly check has a
 * few lines, and none about what was quick.
 */
const lineEveryMs = 30_000;

export interface ProgressDisplay {
  readonly report: OnLabelledProgress;
  /** Ends the bar, so that later output starts on a new line. */
  stop(): void;
}

/** Shows the progress of work, its speed and the remaining time: as a bar on a terminal, otherwise as lines. */
export function showProgress(stream: NodeJS.WriteStream = process.stderr): ProgressDisplay {
  return stream.isTTY ? bars(stream) : progressLines(output.stderr);
}

interface Pace {
  readonly label: string;
  readonly rate: number;
  readonly eta: string;
}

/** Measures one label at a time; a new label restarts the clock. */
function pacer(
  clock = () => performance.now(),
): (label: string, done: number, total: number) => Pace & { fresh: boolean } {
  let current: string | undefined;
  let since = 0;
  return (label, done, total) => {
    const now = clock();
    const fresh = label !== current;
    if (fresh) {
      current = label;
      since = now;
    }
    const rate = now > since ? (done / (now - since)) * 1000 : 0;
    const seconds = done === total ? 0 : rate > 0 ? Math.ceil((total - done) / rate) : undefined;
    return { label, fresh, rate: Math.round(rate), eta: seconds === undefined ? '?' : duration(seconds) };
  };
}

function duration(seconds: number): string {
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

function bars(stream: NodeJS.WriteStream): ProgressDisplay {
  const pace = pacer();
  let bar: SingleBar | undefined;
  const format = '{label} [{bar}] {percentage}%  {value}/{total}  {rate}/s  {eta_text} left';
  return {
    report(label, done, total) {
      const { fresh, rate, eta } = pace(label, done, total);
      const payload = { label: label.padEnd(10), rate, eta_text: eta };
      if (fresh || !bar) {
        bar?.stop();
        bar = new SingleBar({ stream, format, hideCursor: true, barCompleteChar: '=', barIncompleteChar: ' ' });
        bar.start(total, done, payload);
      }
      bar.setTotal(total);
      bar.update(done, payload);
    },
    stop: () => bar?.stop(),
  };
}

/** @param now a clock in milliseconds that never goes back */
export function progressLines(stream: Pick<Writable, 'write'>, now = () => performance.now()): ProgressDisplay {
  const pace = pacer(now);
  let last = now();
  return {
    report(label, done, total) {
      const { rate, eta } = pace(label, done, total);
      if (now() - last < lineEveryMs) return;
      last = now();
      stream.write(`${label}: ${done} of ${total}, ${rate}/s, ${eta} left\n`);
    },
    stop: () => undefined,
  };
}
