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
  /**
   * Counts further writes of a call, of which one was counted already. A call gets no more than its share of what was left
   * before it. @returns how many of them are allowed, and the refusal of those beyond it
   */
  writes(caller: Caller, wanted: number): Promise<Allowance>;
  /** The same limits for one call with several messages, whose writes together get no more than the share of a call. */
  ofOneCall(): RateLimits;
  /** Requests of a person to the account of the terminal. */
  person(personId: string): Promise<void>;
  /** Pages of the console that are opened with one session. */
  session(sessionId: string): Promise<void>;
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

/** The part of the budget of writes that one call may take, so that it leaves some to other callers of its workspace. */
const shareOfCall = 0.8;

/** @param left before the call @returns the writes that it may make; a single one is always allowed while there is one */
const writesOfCall = (left: number): number => Math.max(1, Math.floor(shareOfCall * left));

export const noRateLimits: RateLimits = {
  address: async () => undefined,
  workspace: async () => undefined,
  writes: async (_caller, wanted) => ({ allowed: wanted, refusal: new Refusal('rate_limited') }),
  ofOneCall: () => noRateLimits,
  person: async () => undefined,
  session: async () => undefined,
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
      const before = await spend(budgets.write, workspaceId, 0);
      const share = Math.min(wanted, writesOfCall(before.remaining + 1) - 1);
      const { allowed, remaining, resetSeconds } = share > 0 ? await spend(budgets.write, workspaceId, share) : before;
      note({ limit: budgets.write, remaining, resetSeconds });
      return { allowed: Math.min(allowed, share), refusal: refusalOf(budgets.write, resetSeconds) };
    },
    ofOneCall() {
      const limits = createRateLimits({ spend, giveBack }, note);
      let left: { writes: number; resetSeconds: number } | null = null;
      const writing = createRateLimits({ spend, giveBack }, (budget) => {
        note(budget);
        left ??= { writes: writesOfCall(budget.remaining + 1), resetSeconds: budget.resetSeconds };
      });
      return {
        ...limits,
        async workspace(caller, counted) {
          if (counted !== 'write') return limits.workspace(caller, counted);
          if (left !== null && left.writes < 1) throw refusalOf(budgets.write, left.resetSeconds);
          await writing.workspace(caller, counted);
          if (left !== null) left.writes -= 1;
        },
      };
    },
    person: (personId) => require(rateLimits.terminal, personId),
    session: (sessionId) => require(rateLimits.sessionPages, sessionId),
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
