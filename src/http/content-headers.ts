import type { IncomingMessage } from 'node:http';
import type { ContentHeaders } from '../api/operation.js';

/** As they were sent: the server replaces the content type before it reads the body. */
export function contentHeaders({ rawHeaders }: IncomingMessage): ContentHeaders {
  const sent = (name: string): string => {
    const at = rawHeaders.findIndex((one, index) => index % 2 === 0 && one.toLowerCase() === name);
    return at < 0 ? '' : (rawHeaders[at + 1] ?? '').trim().toLowerCase();
  };
  const [type = ''] = sent('content-type').split(';');
  return { type: type.trim(), encoding: sent('content-encoding') };
}
