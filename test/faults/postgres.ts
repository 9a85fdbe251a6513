import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../src/base/package-root.js';

const run = promisify(execFile);

/** A PostgreSQL server that a test may stop, restart and hold up, beside the one of the suites. */
export interface OwnPostgres {
  readonly url: string;
  /** Its data are in `data`, its log is `log`. */
  readonly directory: string;
  /** Ends every connection at once, as an update of the server does, and starts it again after `downMs`. */
  restart(downMs: number): Promise<void>;
  /** Stops the server in the middle of any it does; connections stay open, and no one answers. */
  pause(ms: number): Promise<void>;
  /** The same until it is resumed. */
  freeze(): Promise<void>;
  resume(): Promise<void>;
  /** Ends all of its processes at once, as a power cut does. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** A server that follows this one by streaming replication. @param port one that is free */
  replica(port: number): Promise<OwnPostgres>;
  remove(): Promise<void>;
}

const bin = '/usr/lib/postgresql/15/bin';

/** @param port one that is free; the server is started by ops/postgres.sh, as that of the suites */
export function ownPostgres(port: number): Promise<OwnPostgres> {
  return serverIn(mkdtempSync(join(tmpdir(), 'counterfoil-own-postgres-')), port);
}

/** A copy of the server at `of`, which follows it. */
async function replicaOf(of: number, port: number): Promise<OwnPostgres> {
  const directory = mkdtempSync(join(tmpdir(), 'counterfoil-own-replica-'));
  await run('chown', ['postgres', directory]);
  const copy = ['-h', '127.0.0.1', '-p', String(of), '-U', 'postgres', '-D', join(directory, 'data')];
  await run(
    'runuser',
    ['-u', 'postgres', '--', join(bin, 'pg_basebackup'), ...copy, '-R', '-X', 'stream', '-c', 'fast'],
    {
      cwd: tmpdir(),
    },
  );
  return serverIn(directory, port);
}

/** The server of a directory. One without data is made. */
async function serverIn(directory: string, port: number): Promise<OwnPostgres> {
  const env = { ...process.env, PG_TEST_DIR: directory, PG_TEST_PORT: String(port) };
  const script = join(packageRoot, 'ops/postgres.sh');
  const start = () => run(script, ['start'], { env });
  await run('chmod', ['755', directory]);
  await start();
  const postmaster = () => Number(readFileSync(join(directory, 'data/postmaster.pid'), 'utf8').split('\n')[0]);
  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  const children = async (pid: number) => {
    const { stdout } = await run('ps', ['-o', 'pid=', '--ppid', String(pid)]).catch(() => ({ stdout: '' }));
    return stdout.split('\n').flatMap((line) => (line.trim() === '' ? [] : Number(line)));
  };
  const signal = (pids: readonly number[], name: NodeJS.Signals) => {
    for (const pid of pids) {
      try {
        process.kill(pid, name);
      } catch {
        // It has ended meanwhile.
      }
    }
  };
  const family = async () => {
    const pid = postmaster();
    return [pid, ...(await children(pid))];
  };
  return {
    directory,
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    async restart(downMs) {
      const pid = postmaster();
      signal([pid], 'SIGINT');
      for (let alive = true; alive; ) {
        await wait(50);
        try {
          process.kill(pid, 0);
        } catch {
          alive = false;
        }
      }
      await wait(downMs);
      await start();
    },
    async pause(ms) {
      const pid = postmaster();
      signal([pid], 'SIGSTOP');
      const pids = [pid, ...(await children(pid))];
      signal(pids, 'SIGSTOP');
      await wait(ms);
      signal(pids, 'SIGCONT');
    },
    async freeze() {
      signal([postmaster()], 'SIGSTOP');
      signal(await family(), 'SIGSTOP');
    },
    async resume() {
      signal(await family(), 'SIGCONT');
    },
    async kill() {
      const pids = await family();
      signal(pids, 'SIGKILL');
      for (let alive = true; alive; ) {
        await wait(20);
        alive = pids.some((pid) => {
          try {
            return process.kill(pid, 0);
          } catch {
            return false;
          }
        });
      }
    },
    async start() {
      await start();
    },
    replica: (other) => replicaOf(port, other),
    async remove() {
      await run(script, ['stop'], { env });
    },
  };
}
