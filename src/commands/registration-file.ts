import { Refusal } from '../../contracts/errors.js';
import { NotAllowed, type PublicFetch, TooLarge, Unavailable } from '../adapters/public-fetch.js';
import { registrationBytes, textInAddress } from '../domain/erc8004/registration-file.js';

const timeoutMs = 10_000;
const tooLarge = () => new Refusal('invalid_proof', 'The registration file has more than 64 KiB.');

/**
 * Reads the registration file of an agent of ERC-8004 where its registry says that it is.
 * @param uri null when it is longer than a file may be
 * @throws Refusal invalid_proof, url_not_allowed, fetch_failed
 */
export async function readRegistrationFile(fetchPublic: PublicFetch, uri: string | null): Promise<unknown> {
  if (uri === null) throw tooLarge();
  const text = textInAddress(uri) ?? (await textAt(fetchPublic, uri));
  if (Buffer.byteLength(text) > registrationBytes) throw tooLarge();
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal('invalid_proof', 'The registration file is not JSON.');
  }
}

async function textAt(fetchPublic: PublicFetch, uri: string): Promise<string> {
  const url = URL.canParse(uri) ? new URL(uri) : null;
  if (url?.protocol !== 'https:') {
    const scheme = url === null ? 'no address' : `an address of ${url.protocol.slice(0, 20)}`;
    throw new Refusal(
      'invalid_proof',
      `The registry gives ${scheme} for the registration file. Files are read from https: and data: addresses only; a signature needs no file.`,
    );
  }
  try {
    const { status, body } = await fetchPublic(url, {
      method: 'GET',
      headers: { accept: 'application/json', 'user-agent': 'counterfoil' },
      timeoutMs,
      maxBytes: registrationBytes,
      redirects: 0,
    });
    if (status === 200) return Buffer.from(body).toString('utf8');
    throw new Refusal(
      'fetch_failed',
      `The address of the registration file answered with status ${status}, and not with the file.`,
    );
  } catch (error) {
    if (error instanceof NotAllowed) throw new Refusal('url_not_allowed', error.message);
    if (error instanceof TooLarge) throw tooLarge();
    if (error instanceof Unavailable)
      throw new Refusal('fetch_failed', `The registration file cannot be read: ${error.message}.`);
    throw error;
  }
}
