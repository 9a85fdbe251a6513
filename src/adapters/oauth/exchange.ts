import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { Prepared } from './requests.js';

/**
 * The request as the library gets it: with a body that was read already, and as if it had been sent to the address of the
 * service, of which the library makes the addresses that it publishes.
 */
export function requestFor(request: IncomingMessage, { url, contentType, body }: Prepared, issuer: string) {
  const { host, protocol } = new URL(issuer);
  // Not the socket of the request, which would be closed with the message.
  const passed = new IncomingMessage(new Socket());
  passed.complete = true;
  passed.method = request.method;
  passed.url = url;
  passed.headers = {
    ...request.headers,
    host,
    'x-forwarded-host': host,
    'x-forwarded-proto': protocol.slice(0, -1),
    'content-type': contentType,
    'content-length': String(body.length),
  };
  delete passed.headers['transfer-encoding'];
  if (body.length > 0) passed.push(body);
  passed.push(null);
  return passed;
}
