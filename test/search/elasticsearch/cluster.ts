import { randomBytes } from 'node:crypto';
import { elasticsearchUrl } from '../../support/engines.js';

/** A cluster as a test looks at it, past the service. */
export function lookAt(url = elasticsearchUrl()) {
  const prefix = `test-${randomBytes(5).toString('hex')}`;
  async function ask(method: string, path: string, body?: unknown) {
    const response = await fetch(`${url}/${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, json: text === '' ? null : JSON.parse(text) };
  }
  return {
    prefix,
    alias: `${prefix}-memories`,
    env: { ELASTICSEARCH_URL: url, ELASTICSEARCH_INDEX_PREFIX: prefix },
    ask,
    /** The names of the indices of the prefix. */
    async indices(): Promise<string[]> {
      return Object.keys((await ask('GET', `${prefix}-memories-*`)).json).sort();
    },
    /** The documents that searches find, by their ids. */
    async documents(): Promise<Map<string, { readonly version: number; readonly fields: Record<string, unknown> }>> {
      await ask('POST', `${prefix}-memories/_refresh`);
      const { json } = await ask('POST', `${prefix}-memories/_search`, { size: 10_000, version: true });
      const hits: { _id: string; _version: number; _source: Record<string, unknown> }[] = json.hits?.hits ?? [];
      return new Map(hits.map((hit) => [hit._id, { version: hit._version, fields: hit._source }]));
    },
    async remove() {
      for (const name of await this.indices()) await ask('DELETE', name);
    },
  };
}

/** Waits until it is true. */
export async function until(what: string, isTrue: () => Promise<boolean>, ms = 120_000): Promise<void> {
  for (const end = Date.now() + ms; Date.now() < end; ) {
    if (await isTrue().catch(() => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`not within ${ms} ms: ${what}`);
}
