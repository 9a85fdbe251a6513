import ipaddr from 'ipaddr.js';
import { Refusal } from '../../contracts/errors.js';
import { type RateLimit, rateLimits } from '../../contracts/limits.js';
import type { Caller } from '../domain/caller.js';

/** The budgets of a workspace in which requests count. Reads count in none. */
export type Counted = 'write' | 'search' | 'key' | 'taskReceipts';

/** Limits for each client address: of every route together, and of single ones. */
export type AddressLimit =
  | 'address'
  | 'pages'
  | 'publicFiles'
  | 'webhookLists'
  | 'signInAttempts'
  | 'identities'
  | 'oauth'
  | 'registrations';

const budgets = {
  write: rateLimits.writes,
  search: rateLimits.searches,
  key: rateLimits.keys,
  taskReceipts: rateLimits.taskReceipts,
};

/** A budget that a request has counted in. */
export interface Budget {
  readonly limit: RateLimit;
  readonly remaining: number;
  readonly resetSeconds: number;
}

/** Those that give nothing throw Refusal rate_limited with the seconds to wait. */
export interface RateLimits {
  address(ip: string, limit?: AddressLimit): Promise<void>;
  workspace(caller: Caller, counted: Counted): Promise<void>;
  /** Counts several writes of a workspace. @returns how many of them the budget allows, and the refusal of those beyond it */
  writes(caller: Caller, wanted: number): Promise<Allowance>;
  /** Requests of a person to the account of the terminal. */
  person(personId: string): Promise<void>;
  /** Takes back one count of an address. */
  giveBack(ip: string, limit: AddressLimit): Promise<void>;
  /** The same limits; `note` is given each budget that a request counts in, also where the request is refused. */
  noting(note: (budget: Budget) => void): RateLimits;
}

/** The part of a budget that is left for requests that were counted together. */
export interface Allowance {
  readonly allowed: number;
  /** Of those beyond it. */
  readonly refusal: Refusal;
}

export const noRateLimits: RateLimits = {
  address: async () => undefined,
  workspace: async () => undefined,
  writes: async (_caller, wanted) => ({ allowed: wanted, refusal: new Refusal('rate_limited') }),
  person: async () => undefined,
  giveBack: async () => undefined,
  noting: () => noRateLimits,
};

/** The counts of requests by limit and client or workspace. */
interface Counts {
  /** Counts requests, gives how many of them may proceed, and how long those beyond it have to wait: 0 s when there are none. */
  spend(limit: RateLimit, who: string, requests?: number): Promise<Spent>;
  /** Takes back one count. */
  giveBack(limit: RateLimit, who: string): Promise<void>;
}

/** The outcome of counting a request. */
interface Spent extends Omit<Budget, 'limit'> {
  readonly allowed: number;
  readonly waitSeconds: number;
}

export function createRateLimits(
  { spend, giveBack }: Counts,
  note: (budget: Budget) => void = () => undefined,
): RateLimits {
  async function require(limit: RateLimit, who: string): Promise<void> {
    const { waitSeconds: seconds, remaining, resetSeconds } = await spend(limit, who);
    note({ limit, remaining, resetSeconds });
    if (seconds !== 0) throw refusalOf(limit, seconds);
  }
  return {
    address: (ip, limit = 'address') => require(rateLimits[limit], clientOf(ip)),
    workspace: ({ workspaceId }, counted) => require(budgets[counted], workspaceId),
    async writes({ workspaceId }, wanted) {
      const { allowed, waitSeconds, ...left } = await spend(budgets.write, workspaceId, wanted);
      note({ limit: budgets.write, remaining: left.remaining, resetSeconds: left.resetSeconds });
      return { allowed, refusal: refusalOf(budgets.write, waitSeconds) };
    },
    person: (personId) => require(rateLimits.terminal, personId),
    giveBack: (ip, limit) => giveBack(rateLimits[limit], clientOf(ip)),
    noting: (other) => createRateLimits({ spend, giveBack }, other),
  };
}

function refusalOf({ sentence }: RateLimit, seconds: number): Refusal {
  return new Refusal('rate_limited', `${sentence} Wait ${seconds} s.`, { retry_after_seconds: seconds });
}

/** An IPv6 client holds a whole /64 and could take a new address for each request, so the network is what counts. */
export function clientOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  return address instanceof ipaddr.IPv6
    ? `${address.parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(':')}::/64`
    : ip;
}
