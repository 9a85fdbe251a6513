import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { packageRoot } from '../../../src/base/package-root.js';
import { bare } from '../../faults/service-process.js';

const main = join(packageRoot, 'dist/test/support/eventstore-server/main.js');

/** The EventStoreDB protocol server as a process of its own, with its streams in a file. */
export interface EventStoreProcess {
  readonly url: string;
  /** kill -9, and the same streams on the same port again, after `meanwhile`. */
  restart(meanwhile?: () => void): Promise<void>;
  /** The node is a leader that is cut off from the other nodes: it acknowledges nothing. */
  cutOff(): void;
  /** It meets the other nodes again, and ends itself. @returns its exit code */
  meetOthers(): Promise<number | null>;
  stop(): Promise<void>;
}

export async function startEventStoreProcess(file: string): Promise<EventStoreProcess> {
  let { child, url } = await spawned(file, '0');
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  return {
    url,
    async restart(meanwhile) {
      await kill();
      meanwhile?.();
      ({ child, url } = await spawned(file, /:(\d+)\?/.exec(url)?.[1] ?? '0'));
    },
    cutOff: () => void child.kill('SIGUSR2'),
    async meetOthers() {
      const ended = once(child, 'exit');
      child.kill('SIGUSR2');
      await ended;
      return child.exitCode;
    },
    stop: kill,
  };
}

async function spawned(file: string, port: string): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [main, '--file', file, '--port', port], {
    env: bare,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // A server that cannot start prints no line, and the test would wait forever.
  const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), once(child, 'exit')]);
  if (child.exitCode !== null)
    throw new Error(`the server of streams ended with ${child.exitCode} instead of listening`);
  return { child, url: String(line).replace('EVENTSTORE_URL=', '') };
}
