import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GrantScope } from './grants.js';

/** A request of a browser as Node has it: the authorization server finds its own cookie in it. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Where the answer to a client goes. */
export interface Destination {
  /** A site, a program on the computer of the browser, or the program on its device that opens addresses of a private scheme. */
  readonly kind: 'https' | 'loopback' | 'private';
  /** The host of the address, or its private scheme without the colon. */
  readonly host: string;
}

/** The question of an OAuth client that a person answers at /consent. */
export interface Asked {
  readonly clientId: string;
  /** The name that the client gives itself, which is not verified; null when it gives none. */
  readonly clientName: string | null;
  /** The host of the client's own pages, or of its metadata document; null for a client that names none. */
  readonly clientHost: string | null;
  readonly destination: Destination;
  readonly scopes: readonly GrantScope[];
}

/** The answer of a person who allows it; the entry grant.created is in the chain by then. */
interface Allowed {
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

/** A request to the authorization server. Its body has been read. */
export interface OAuthRequest {
  readonly request: IncomingMessage;
  /** As it was sent: the server replaces the header before it reads the body. */
  readonly contentType: string;
  readonly body: Uint8Array;
}

/** A refusal in the form of OAuth: `error` is a code of its specifications. */
export class OAuthRefusal extends Error {
  constructor(
    readonly error: string,
    sentence: string,
  ) {
    super(sentence);
  }
}

/** A valid access token. */
interface VerifiedToken {
  readonly grantId: string;
  readonly clientId: string;
  readonly scopes: readonly GrantScope[];
}

/** The metadata of the resource that tokens are for (RFC 9728). */
interface ResourceMetadata {
  readonly resource: string;
  readonly authorization_servers: readonly string[];
  readonly scopes_supported: readonly string[];
  readonly bearer_methods_supported: readonly string[];
  readonly resource_name: string;
  readonly resource_documentation: string;
}

/** The authorization server of this installation. */
export interface AuthorizationServer {
  readonly authorizations: Authorizations;
  readonly resourceMetadata: ResourceMetadata;
  /**
   * Gets ready to answer a request to one of `oauthPaths` or of the metadata of the server. What fails here can still be
   * answered by the caller. @returns writes the answer. @throws OAuthRefusal
   */
  prepare(request: OAuthRequest): Promise<(response: ServerResponse) => Promise<void>>;
  /** @returns null for anything but an access token that this installation has signed for /mcp and that has not expired */
  verifyAccessToken(token: string): Promise<VerifiedToken | null>;
}
