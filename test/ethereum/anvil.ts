import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';

export interface AnvilOptions {
  /** A free port when it is not given. A chain that is started again under its old address needs its old port. */
  readonly port?: number;
  readonly chainId?: number;
  /** Seconds between two blocks. Without it, and with `automine`, each transaction gets a block at once. */
  readonly blockTime?: number;
  /** With false, only `mine` makes blocks. */
  readonly automine?: boolean;
  /** The chain is loaded from this file when it exists, and `stop` writes it there. The pool of transactions is lost. */
  readonly state?: string;
  /** `paris`, `shanghai`, `cancun`, `prague` and so on; the newest when it is not given. */
  readonly hardfork?: string;
  /** Further arguments of the program. */
  readonly args?: readonly string[];
}

/** A signed transaction in hex, and the block of the new branch that holds it; 0 is the first. */
export type ReplayedTransaction = readonly [raw: string, block: number];

/** A chain of its own for a test: a process of anvil. */
export interface Anvil {
  readonly url: string;
  readonly port: number;
  readonly chainId: number;
  readonly pid: number;
  call(method: string, params?: readonly unknown[]): Promise<unknown>;
  /** Makes this number of blocks. */
  mine(blocks?: number): Promise<void>;
  /**
   * Replaces the newest blocks by as many other ones. Their transactions are in no block afterwards and not in the pool, except
   * for those that are given.
   */
  reorg(depth: number, transactions?: readonly ReplayedTransaction[]): Promise<void>;
  /**
   * Remembers the state of the chain. What it returns goes back to that state, once. A test that goes back often needs several
   * chains: after a hundred times a reorganisation loses the contracts of a chain.
   */
  snapshot(): Promise<() => Promise<void>>;
  /** Stops answering without closing connections, until `resume`. */
  pause(): void;
  resume(): void;
  /** Ends the process, after the state file is written. */
  stop(): Promise<void>;
  /** Ends the process at once: no state file is written. */
  kill(): Promise<void>;
}

/**
 * The private keys of the accounts that own 10,000 ether on every chain of anvil. They are public: anvil prints them at each
 * start.
 */
export const fundedKeys = [
  '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
  '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a',
  '0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6',
  '0x47e179ec197488593b187f80a00eb0da91f1b9d0b13f8733639f19c30a34926a',
  '0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba',
] as const;

/** Starts a chain and waits until it answers. */
export async function startAnvil(options: AnvilOptions = {}): Promise<Anvil> {
  const child = spawn(program(), argumentsOf(options), { stdio: ['ignore', 'pipe', 'pipe'] });
  const endWithTest = () => child.kill('SIGKILL');
  process.once('exit', endWithTest);
  child.once('exit', () => process.off('exit', endWithTest));
  const port = await listening(child);
  const url = `http://127.0.0.1:${port}`;
  const call = (method: string, params: readonly unknown[] = []) => callMethod(url, method, params);
  const chainId = Number(await call('eth_chainId'));
  return {
    url,
    port,
    chainId,
    pid: child.pid ?? 0,
    call,
    mine: async (blocks = 1) => {
      await call('anvil_mine', [`0x${blocks.toString(16)}`]);
    },
    reorg: async (depth, transactions = []) => {
      await call('anvil_reorg', [depth, transactions]);
    },
    snapshot: async () => {
      const id = await call('evm_snapshot');
      return async () => {
        if ((await call('evm_revert', [id])) !== true) throw new Error('The snapshot was used already.');
      };
    },
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    stop: () => end(child, 'SIGTERM'),
    kill: () => end(child, 'SIGKILL'),
  };
}

/** The program is in an optional package of the platform, and no script of an installation has to run. */
function program(): string {
  const os = process.platform;
  const name = `@foundry-rs/anvil-${os}-${process.arch === 'x64' ? 'amd64' : process.arch}`;
  try {
    return createRequire(import.meta.url).resolve(`${name}/bin/anvil${os === 'win32' ? '.exe' : ''}`);
  } catch {
    throw new Error(
      `The package ${name} is not installed, which the tests of Ethereum need: run npm ci without --omit=optional.`,
    );
  }
}

function argumentsOf({ port, chainId, blockTime, automine, state, hardfork, args }: AnvilOptions): string[] {
  const given: readonly (readonly [string, string | number | undefined])[] = [
    ['--port', port ?? 0],
    ['--chain-id', chainId],
    ['--block-time', blockTime],
    ['--state', state],
    ['--hardfork', hardfork],
    // Otherwise it writes to the home directory.
    ['--cache-path', tmpdir()],
  ];
  return [
    ...given.flatMap(([name, value]) => (value === undefined ? [] : [name, String(value)])),
    ...(automine === false ? ['--no-mining'] : []),
    ...(args ?? []),
  ];
}

/** The port, which anvil prints when it answers. What it prints later is read and dropped, so that it never waits for a reader. */
function listening(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let printed = '';
    const read = (chunk: Buffer) => {
      if (printed.length < 20_000) printed += chunk.toString();
      const [, port] = /Listening on [^\s]*:(\d+)/.exec(printed) ?? [];
      if (port !== undefined) resolve(Number(port));
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`anvil ended with ${code} instead of listening: ${printed}`)));
  });
}

async function callMethod(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const answer: unknown = await response.json();
  if (typeof answer !== 'object' || answer === null || !('result' in answer)) {
    throw new Error(`${method}: ${JSON.stringify(answer)}`);
  }
  return answer.result;
}

async function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  // A paused process would take the signal only when it is resumed.
  child.kill(signal);
  child.kill('SIGCONT');
  await ended;
}
