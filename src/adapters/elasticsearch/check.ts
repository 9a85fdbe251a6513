import { WrongSetting } from '../../settings/wrong-setting.js';
import { speaksTls } from '../speaks-tls.js';
import { type Cluster, ElasticsearchFault } from './client.js';

const isAboutCertificates = (type: string): boolean => /CERT|UNABLE_TO_|ERR_TLS/.test(type);

/**
 * Asks the cluster for its health. A cluster that is away does not stop the start, and neither does a certificate that has expired:
 * no setting is wrong.
 * @throws WrongSetting when the answer shows that a setting is wrong
 */
export async function checkCluster(cluster: Cluster, url: string): Promise<void> {
  try {
    await askHealth(cluster, 5000);
  } catch (error) {
    if (!(error instanceof ElasticsearchFault)) throw error;
    const sentence = wrongSetting(error) ?? (error.status === null ? await wrongScheme(url) : null);
    if (sentence !== null) throw new WrongSetting(sentence);
  }
}

/** A sentence that says why the cluster does not answer; null when it does. */
export async function clusterProblem(cluster: Cluster, waitMs: number): Promise<string | null> {
  try {
    await askHealth(cluster, waitMs);
    return null;
  } catch (error) {
    if (!(error instanceof ElasticsearchFault)) throw error;
    if (error.type === 'CERT_HAS_EXPIRED') return 'The certificate of ELASTICSEARCH_URL has expired. Renew it there.';
    return wrongSetting(error) ?? 'Elasticsearch does not answer.';
  }
}

const askHealth = (cluster: Cluster, requestTimeout: number) =>
  cluster.ask((client) => client.cluster.health({ filter_path: 'status' }, { requestTimeout }));

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
  return status === null ? wrongTls(type) : null;
}

function wrongTls(type: string): string | null {
  if (type === 'EPROTO') {
    return 'ELASTICSEARCH_URL begins with https, but no TLS is spoken there. Set the address of the cluster.';
  }
  if (type === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return 'The certificate of ELASTICSEARCH_URL is for another name. Set an address whose name is in the certificate.';
  }
  if (isAboutCertificates(type) && type !== 'CERT_HAS_EXPIRED') {
    return `The certificate of ELASTICSEARCH_URL cannot be verified (${type}). Set ELASTICSEARCH_CA_FILE to the certificate of the authority that signed it.`;
  }
  return null;
}

async function wrongScheme(address: string): Promise<string | null> {
  const { protocol, hostname, port } = new URL(address);
  if (protocol !== 'http:') return null;
  const isTls = await speaksTls(hostname.replace(/^\[|\]$/g, ''), Number(port || 80));
  return isTls ? 'ELASTICSEARCH_URL begins with http, but TLS is spoken there. Set an https address.' : null;
}
