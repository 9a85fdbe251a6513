import { z } from 'zod';
import type { Random } from '../verifier/mutations.js';
import type { Answer, Asked, Behaviour } from './proxy.js';

const record = z.record(z.string(), z.unknown());
const quantity = (value: number | bigint) => `0x${value.toString(16)}`;
const otherHash = `0x${'cd'.repeat(32)}`;

/** Members of blocks and receipts, with what a liar says in their place. */
const lies: Readonly<Record<string, (honest: string) => unknown>> = {
  hash: () => otherHash,
  number: (honest) => quantity(Number(honest) + 20),
  timestamp: (honest) => quantity(Number(honest) - 60),
  receiptsRoot: () => otherHash,
  parentHash: () => otherHash,
  baseFeePerGas: () => quantity(1),
  transactions: () => [],
  blockHash: () => otherHash,
  blockNumber: (honest) => quantity(Math.max(0, Number(honest) - 1)),
  status: (honest) => (honest === '0x1' ? '0x0' : '0x1'),
  gasUsed: (honest) => quantity(Number(honest) + 1),
  effectiveGasPrice: () => quantity(1),
  logs: () => [],
  transactionIndex: (honest) => quantity(Number(honest) + 1),
};

/** Changes an answer of the node. Some answers are changed into what would be true of another block. */
export function lying(random: Random, share = 3): Behaviour {
  const pick = <T>(values: readonly T[]): T | undefined => values[random(values.length)];

  function changed({ method }: Asked, result: unknown): unknown {
    if (typeof result === 'string') return changedText(method, result);
    if (Array.isArray(result)) return pick([[], [...result, ...result], result.slice(1), result.map(withLie)]);
    return random(4) === 0 ? null : withLie(result);
  }
  function changedText(method: string, result: string): unknown {
    if (method === 'eth_getCode') return '0x';
    if (method === 'eth_chainId') return '0x1';
    if (result.length > 20) return otherHash;
    return quantity(pick([0n, 21_000n, BigInt(result) + 1n, BigInt(result) * 2n, 10n ** 30n]) ?? 0n);
  }
  function withLie(result: unknown): unknown {
    const read = record.safeParse(result);
    if (!read.success) return result;
    const member = pick(Object.keys(read.data).filter((name) => name in lies));
    const lie = member === undefined ? undefined : lies[member];
    if (member === undefined || lie === undefined) return result;
    return { ...read.data, [member]: lie(String(read.data[member])) };
  }

  return async (asked, ask) => {
    if (random(share) > 0) return ask();
    // It keeps the transaction for itself, and says that it has sent it.
    if (asked.method === 'eth_sendRawTransaction' && random(2) === 0) return { result: otherHash };
    const honest = await ask();
    return 'result' in honest ? { result: changed(asked, honest.result) } : honest;
  };
}

const refusals: readonly Answer[] = [
  { status: 429 },
  { status: 429, headers: { 'retry-after': '0' } },
  { status: 503 },
  { error: { code: -32_005, message: 'daily request count exceeded, request rate limited' } },
  { error: { code: -32_016, message: 'over rate limit' } },
  { error: { code: -32_603, message: 'service temporarily unavailable' } },
  { error: { code: 429, message: 'Your app has exceeded its compute units per second capacity.' } },
];

/** Refuses some requests because of their number, in the ways of several providers; large ones most often. */
export function limited(random: Random): Behaviour {
  return async (asked, ask) => {
    const isLarge = asked.method === 'eth_getBlockReceipts' || asked.method.startsWith('eth_getBlock');
    if (random(isLarge ? 2 : 4) > 0) return ask();
    // The request may have been done already.
    if (asked.method === 'eth_sendRawTransaction' && random(2) === 0) await ask();
    return refusals[random(refusals.length)] ?? { status: 429 };
  };
}

/** Answers as it was some blocks ago. @param blocks how many, again for each question */
export function lagging(blocks: () => number): Behaviour {
  const head = async (ask: (other: Asked) => Promise<Answer>) => {
    const answer = await ask({ method: 'eth_blockNumber', params: [] });
    return Math.max(0, Number('result' in answer ? answer.result : 0) - blocks());
  };
  return async ({ method, params }, ask) => {
    const newest = await head(ask);
    const shown = params.map((param) => (param === 'latest' ? quantity(newest) : param));
    const answer = await ask({ method, params: shown });
    if (!('result' in answer)) return answer;
    const read = record.safeParse(answer.result);
    const at = read.success ? Number(read.data.blockNumber ?? read.data.number) : Number.NaN;
    return at > newest ? { result: null } : answer;
  };
}
