import { Client, errors } from '@elastic/elasticsearch';
import type { ElasticsearchSetting } from '../../settings/engines.js';
import { TimedConnection } from './connection.js';

/** How long a request may take, if it names no time of its own. */
const requestTimeoutMs = 10_000;
/** The longest answer that is read, in bytes. */
const maxResponseSize = 64 * 1024 * 1024;

/**
 * The cluster did not answer, or refused. The message names the kind of the failure only: the messages of the cluster may hold
 * parts of documents, and those of the client may hold the address with its credentials.
 */
export class ElasticsearchFault extends Error {
  override name = 'ElasticsearchFault';
  constructor(
    /** The status of HTTP; null without an answer. */
    readonly status: number | null,
    /** The type of the error, as the cluster or the client names it. */
    readonly type: string,
    /** How long to wait before the next attempt, when the cluster or a proxy before it says so. */
    readonly retryAfterMs = 0,
  ) {
    super(status === null ? `Elasticsearch does not answer: ${type}` : `Elasticsearch answers ${status}: ${type}`);
  }
}

/** The connection to a cluster. It works with clusters of versions 8 and 9. */
export interface Cluster {
  /** Runs one request, or several. @throws ElasticsearchFault, and no error of the client */
  ask<T>(requests: (client: Client) => Promise<T>): Promise<T>;
  /** Whether the last request was answered. */
  isUp(): boolean;
  close(): Promise<void>;
}

export function openCluster({ url, apiKey, ca }: ElasticsearchSetting): Cluster {
  const client = new Client({
    node: url,
    requestTimeout: requestTimeoutMs,
    Connection: TimedConnection,
    maxResponseSize,
    maxCompressedResponseSize: maxResponseSize,
    // Each caller decides whether its request may be repeated.
    maxRetries: 0,
    ...(apiKey === undefined ? {} : { auth: { apiKey } }),
    ...(ca === undefined ? {} : { tls: { ca } }),
  });
  let isUp = true;
  return {
    async ask(requests) {
      try {
        const answer = await requests(client);
        isUp = true;
        return answer;
      } catch (error) {
        const fault = faultOf(error);
        isUp = fault.status !== null;
        throw fault;
      }
    },
    isUp: () => isUp,
    close: () => client.close(),
  };
}

/** An error of the client without texts that may hold secrets or contents. Another error is returned as it is. */
function faultOf(error: unknown): ElasticsearchFault {
  if (error instanceof ElasticsearchFault) return error;
  if (error instanceof errors.ResponseError) {
    const type = typeOf(error.body) ?? 'an unknown error';
    return new ElasticsearchFault(error.statusCode ?? 0, type, retryAfterOf(error.headers?.['retry-after']));
  }
  if (error instanceof errors.ElasticsearchClientError) return new ElasticsearchFault(null, kindOf(error));
  throw error;
}

const longestRetryAfterMs = 30_000;

/** The header in milliseconds, when it is a number of seconds. */
function retryAfterOf(header: string | string[] | undefined): number {
  const seconds = Number(header ?? 0);
  return seconds > 0 ? Math.min(seconds * 1000, longestRetryAfterMs) : 0;
}

/** The type in the body of an error. */
function typeOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('error' in body)) return undefined;
  const { error } = body;
  return typeof error === 'object' && error !== null && 'type' in error ? String(error.type) : undefined;
}

/** The code of a failed connection, or the name of the error. */
function kindOf(error: errors.ElasticsearchClientError): string {
  const cause: unknown = error.cause;
  if (typeof cause === 'object' && cause !== null && 'code' in cause) return String(cause.code);
  // Some connections fail with a message that ends with the code of OpenSSL or of the system.
  return codeIn(error.message) ?? error.name;
}

const codeIn = (message: string): string | undefined =>
  /\b(E[A-Z]{4,}|[A-Z]+(?:_[A-Z]+)*_CERT[A-Z_]*|CERT_[A-Z_]+|UNABLE_TO_[A-Z_]+)\b/.exec(message)?.[1] ??
  (/certificate has expired/i.test(message) ? 'CERT_HAS_EXPIRED' : undefined) ??
  (/match certificate's altnames/i.test(message) ? 'ERR_TLS_CERT_ALTNAME_INVALID' : undefined) ??
  (/self-signed certificate/i.test(message) ? 'SELF_SIGNED_CERT' : undefined) ??
  (/unable to (?:verify|get)[a-z ]*certificate/i.test(message) ? 'UNABLE_TO_VERIFY_CERT' : undefined) ??
  (/wrong version number/i.test(message) ? 'EPROTO' : undefined);
