import { once } from 'node:events';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface Received {
  readonly to: readonly string[];
  readonly text: string;
}

/** A real SMTP server, and everything that it has accepted. */
export async function startSmtp(options: SMTPServerOptions = {}) {
  const received: Received[] = [];
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    logger: false,
    onData(stream, session, done) {
      let text = '';
      stream.setEncoding('utf8');
      stream.on('data', (part: string) => {
        text += part;
      });
      stream.on('end', () => {
        received.push({ to: session.envelope.rcptTo.map(({ address }) => address), text });
        done();
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const address = listening.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    server,
    received,
    url: `smtp://127.0.0.1:${port}`,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

export const idsIn = (received: readonly Received[]) =>
  received.map(({ text }) => /^Message-ID: (.*)$/im.exec(text)?.[1]);

/** The subject and the text as a mail program shows them. */
export function shownIn({ text }: Received): { readonly subject: string; readonly body: string } {
  const [head = '', ...body] = text.split('\r\n\r\n');
  const [, subject = ''] = /^Subject: (.*(?:\r\n .*)*)$/m.exec(head) ?? [];
  const bytes = (part: string) =>
    part.replace(/((?:=[0-9A-F]{2})+)/g, (hex) => Buffer.from(hex.replaceAll('=', ''), 'hex').toString());
  const words = subject.replace(/=\?UTF-8\?Q\?(.*?)\?=(?:\r\n )?/g, (_whole, word: string) =>
    word.replaceAll('_', ' '),
  );
  return { subject: bytes(words), body: bytes(body.join('\r\n\r\n').replace(/=\r\n/g, '')) };
}
