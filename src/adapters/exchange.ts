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
  /** Ends the connection, whatever is still to come. */
  close(): void;
}

export interface ExchangeRequest {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
}

/**
 * One request over one connection to `address`, and the head of its answer. The name of the URL is only said (in Host, and
 * in TLS, where the certificate must be of it); nothing here resolves it. No connection is kept for another request, so
 * none that was made for one name serves another.
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
      // An address has no name to say; its certificate must then be of the address.
      ...(secure && isIP(name) === 0 && !name.startsWith('[') ? { servername: name } : {}),
    });
    request.on('error', reject);
    request.on('response', (stream) => {
      const { location, 'content-type': contentType = '', 'content-encoding': encoding = '' } = stream.headers;
      const length = stream.headers['content-length'];
      // The body is read or dropped later; until somebody listens, its errors must not be nobody's.
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
