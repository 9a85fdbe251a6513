import { Refusal } from '../../../contracts/errors.js';
import { rateLimits } from '../../../contracts/limits.js';

/** Counts the messages of clients, by the token or the agent key. */
export interface MessageRates {
  /** @throws Refusal rate_limited with the seconds to wait; the messages are counted all the same */
  count(client: string, messages: number): Promise<void>;
  /** Takes back one message. */
  giveBack(client: string): Promise<void>;
}

export const noMessageRates: MessageRates = { count: async () => undefined, giveBack: async () => undefined };

interface Counts {
  /** @returns the seconds to wait, 0 when the messages are allowed */
  count(limit: typeof rateLimits.mcp, who: string, requests: number): Promise<number>;
  giveBack(limit: typeof rateLimits.mcp, who: string): Promise<void>;
}

export function createMessageRates({ count, giveBack }: Counts): MessageRates {
  return {
    async count(client, messages) {
      const seconds = await count(rateLimits.mcp, client, messages);
      if (seconds === 0) return;
      const { sentence } = rateLimits.mcp;
      throw new Refusal('rate_limited', `${sentence} Wait ${seconds} s.`, { retry_after_seconds: seconds });
    },
    giveBack: (client) => giveBack(rateLimits.mcp, client),
  };
}
