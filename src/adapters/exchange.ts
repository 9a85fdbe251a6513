import { type IncomingMessage, request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { isIP } from 'node:net';

export interface Exchange {
  readonly status: number;
  readonly location: string | undefined;
  readonly contentType: string;
  readonly encoding: string;
  /** Content-Length, if it is given and a number. */
  readonly announced: number | null;
  readonly stream: IncomingMessage;
  /** Closes the connection, even if the answer is not complete. */
  close(): void;
}

export interface ExchangeRequest {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
}

/**
 * Sends one request over a new connection to `address` and returns the head of the answer. The name of the URL is not
 * resolved here: it is only sent in Host and in TLS, where the certificate must match it. No connection is reused, so a
 * connection for one name never serves another name.
 */
export function exchange(url: URL, address: string, sent: ExchangeRequest, signal: AbortSignal): Promise<Exchange> {
  const secure = url.protocol === 'https:';
  const name = url.hostname.replace(/\.$/, '');
  return new Promise((resolve, reject) => {
    const request = (secure ? secureRequest : plainRequest)({
      host: address,
      port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
      path: `${url.pathname}${url.search}`,
      method: sent.method,
      headers: { ...sent.headers, host: url.host },
      agent: false,
      signal,
      // For an address there is no name to send; its certificate must match the address.
      ...(secure && isIP(name) === 0 && !name.startsWith('[') ? { servername: name } : {}),
    });
    request.on('error', reject);
    request.on('response', (stream) => {
      const { location, 'content-type': contentType = '', 'content-encoding': encoding = '' } = stream.headers;
      const length = stream.headers['content-length'];
      // The body is read or dropped later. Until then its errors need a listener, because they would end the process.
      stream.on('error', () => undefined);
      resolve({
        status: stream.statusCode ?? 0,
        location,
        contentType,
        encoding: encoding.trim().toLowerCase(),
        announced: length !== undefined && /^\d{1,15}$/.test(length) ? Number(length) : null,
        stream,
        close: () => request.destroy(),
      });
    });
    request.end(sent.body);
  });
}
