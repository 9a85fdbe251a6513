import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { packageRoot } from '../../src/base/package-root.js';

export interface EventStoreProcess {
  /** A connection string. */
  readonly url: string;
  stop(): void;
}

/** The server of the EventStoreDB protocol as a process of its own, with its streams in a file. */
export async function startEventStoreProcess(file: string): Promise<EventStoreProcess> {
  const main = join(packageRoot, 'dist/ops/eventstore-server/main.js');
  const child = spawn(process.execPath, [main, '--file', file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(createInterface(child.stdout), 'line');
  return { url: String(line).replace('EVENTSTORE_URL=', ''), stop: () => void child.kill() };
}
