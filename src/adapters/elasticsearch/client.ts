import { Client, errors } from '@elastic/elasticsearch';
import type { ElasticsearchSetting } from '../../engine-settings.js';
import { WrongSetting } from '../../wrong-setting.js';

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
    return new ElasticsearchFault(error.statusCode ?? 0, typeOf(error.body) ?? 'an unknown error');
  }
  if (error instanceof errors.ElasticsearchClientError) return new ElasticsearchFault(null, kindOf(error));
  throw error;
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
  (/self-signed certificate/i.test(message) ? 'SELF_SIGNED_CERT' : undefined) ??
  (/unable to (?:verify|get)[a-z ]*certificate/i.test(message) ? 'UNABLE_TO_VERIFY_CERT' : undefined) ??
  (/wrong version number/i.test(message) ? 'EPROTO' : undefined);

const isAboutCertificates = (type: string): boolean => /CERT|UNABLE_TO_|ERR_TLS/.test(type);

/**
 * Asks the cluster for its health. A cluster that is away does not stop the start.
 * @throws WrongSetting when the answer shows that a setting is wrong
 */
export async function checkCluster(cluster: Cluster): Promise<void> {
  try {
    await cluster.ask((client) => client.cluster.health({ filter_path: 'status' }, { requestTimeout: 5000 }));
  } catch (error) {
    if (!(error instanceof ElasticsearchFault)) throw error;
    const sentence = wrongSetting(error);
    if (sentence !== null) throw new WrongSetting(sentence);
  }
}

function wrongSetting({ status, type }: ElasticsearchFault): string | null {
  if (status === 401 || status === 403) {
    return `Elasticsearch refuses the credentials of ELASTICSEARCH_URL or ELASTICSEARCH_API_KEY (${status}). Set credentials that may monitor the cluster and manage the indices of ELASTICSEARCH_INDEX_PREFIX.`;
  }
  if (type === 'ProductNotSupportedError') {
    return 'ELASTICSEARCH_URL does not lead to Elasticsearch: the answer is not signed as one of Elasticsearch 8 or 9. Set the address of the cluster.';
  }
  if (status !== null && status >= 300 && status < 500 && status !== 408 && status !== 429) {
    return `ELASTICSEARCH_URL does not lead to Elasticsearch: the request for the health of the cluster is answered with ${status}. Set the address of the cluster.`;
  }
  if (status === null && type === 'EPROTO') {
    return 'ELASTICSEARCH_URL begins with https, but no TLS is spoken there. Set the address of the cluster.';
  }
  if (status === null && isAboutCertificates(type)) {
    return `The certificate of ELASTICSEARCH_URL cannot be verified (${type}). Set ELASTICSEARCH_CA_FILE to the certificate of the authority that signed it.`;
  }
  return null;
}
