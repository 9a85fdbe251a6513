import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GrantScope } from '../../contracts/grants.js';

/** A request of a browser as Node has it: the authorization server finds its own cookie in it. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** The question of an OAuth client that a person answers at /consent. */
export interface Asked {
  readonly clientId: string;
  /** The name that the client gives itself, which is not verified; null when it gives none. */
  readonly clientName: string | null;
  /** The host of the client's own pages, or of its metadata document; null for a client that names none. */
  readonly clientHost: string | null;
  /** Where the code goes: an address, of which the host or the private scheme is shown. */
  readonly redirectUri: string;
  readonly scopes: readonly GrantScope[];
}

/** The answer of a person who allows it; the entry grant.created is in the chain by then. */
export interface Allowed {
  readonly grantId: string;
  readonly memberId: string;
  readonly scopes: readonly GrantScope[];
}

/** The requests of OAuth clients that wait for the answer of a person. */
export interface Authorizations {
  /** @returns null when there is none of that id, it has expired, or another browser has begun it */
  asked(exchange: Exchange, id: string): Promise<Asked | null>;
  /** @returns where to send the browser. @throws Refusal invalid_request when it cannot be answered any more */
  allow(exchange: Exchange, id: string, allowed: Allowed): Promise<string>;
  /** @returns where to send the browser. @throws Refusal invalid_request when it cannot be answered any more */
  deny(exchange: Exchange, id: string): Promise<string>;
}
