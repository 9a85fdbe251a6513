import { Unreadable } from '../../verifier/unreadable.js';

/** Proofs of public receipts of this service. A link cannot make the page request anything else. */
const publicProof = /^\/v1\/registry\/receipts\/rcp_[0-9a-f]{32}\/proof$/;

/** The path of the bundle that the address of this page names (`?bundle=…`); null where it names none. */
export function linkedBundle(search: string): string | null {
  return new URLSearchParams(search).get('bundle');
}

/**
 * Fetches a public bundle from the service of this page, without the cookies of the reader.
 * @throws Unreadable for a path of anything else, and for an answer that is not a bundle of at most `mostBytes`
 */
export async function fetchLinked(path: string, mostBytes: number): Promise<Uint8Array> {
  if (!publicProof.test(path)) throw new Unreadable('the link does not name a proof of a public receipt');
  // Relative to this page, which may be below a path of its own.
  const response = await request(path.slice(1));
  if (response.status === 404) throw new Unreadable('the service has no public receipt with this id');
  if (!response.ok) throw new Unreadable(`the service has answered with status ${response.status}`);
  return readBounded(response, mostBytes);
}

async function request(address: string): Promise<Response> {
  try {
    return await fetch(address, { credentials: 'omit', redirect: 'error', referrerPolicy: 'no-referrer' });
  } catch {
    throw new Unreadable('the service does not answer');
  }
}

async function readBounded(response: Response, mostBytes: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = response.body?.getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    parts.push(part.value);
    length += part.value.length;
    if (length > mostBytes) {
      await reader?.cancel();
      throw new Unreadable(`it is larger than ${mostBytes / (1024 * 1024)} MiB`);
    }
  }
  return new Uint8Array(await new Blob(parts.map((part) => new Uint8Array(part))).arrayBuffer());
}
