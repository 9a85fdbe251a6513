import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { bare, main } from '../faults/service-process.js';

/** The built program `counterfoil mcp`, as a client starts it. */
export interface McpProgram {
  readonly child: ChildProcessWithoutNullStreams;
  send(...lines: (string | Uint8Array)[]): void;
  /** The next line of its standard output. @throws Error when it ends instead */
  line(): Promise<string>;
  /** The exit code and all remaining lines, after the end of its input. */
  end(): Promise<{ code: number | null; lines: readonly string[]; err: string }>;
}

export function startMcpProgram(env: Readonly<Record<string, string>>, args: readonly string[] = []): McpProgram {
  const child = spawn(process.execPath, [main, 'mcp', ...args], { env: { ...bare, ...env } });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let err = '';
  child.stderr.on('data', (data) => {
    err += data;
  });
  // A program that has ended does not read.
  child.stdin.on('error', () => undefined);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return {
    child,
    send(...sent) {
      for (const line of sent) child.stdin.write(Buffer.concat([Buffer.from(line), Buffer.from('\n')]));
    },
    async line() {
      const { value, done } = await lines.next();
      if (done) throw new Error(`the program has ended: ${err}`);
      return value;
    },
    async end() {
      child.stdin.end();
      const rest: string[] = [];
      for (let next = await lines.next(); !next.done; next = await lines.next()) rest.push(next.value);
      return { code: await ended, lines: rest, err };
    },
  };
}
