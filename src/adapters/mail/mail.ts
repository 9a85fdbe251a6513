import { DeadlinePassed, withDeadline } from '../../base/deadline.js';
import type { SmtpSetting } from '../../settings/peers.js';

/** An e-mail in plain text. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The left part of its Message-ID. An e-mail that is sent again has the same one, so that mail programs show it once. */
  readonly id: string;
  readonly date: Date;
}

/** The outcome of an attempt: `isFinal` where the server will never accept the e-mail. */
type Mailed = { readonly error: null } | { readonly error: string; readonly isFinal: boolean };

/** Sends an e-mail, and ends within 30 seconds. It never throws. */
export type SendMail = (mail: Mail) => Promise<Mailed>;

/** Of one e-mail, from the connection to the answer to its last byte. */
const usualDeadlineMs = 30_000;
/** Of each of its phases, and of silence. */
const usualPhaseMs = 10_000;

interface MailOptions {
  readonly phaseMs?: number;
  readonly deadlineMs?: number;
  /** Ends the attempts in progress. */
  readonly ending?: AbortSignal;
}

/**
 * Sends e-mails over SMTP, each on a connection of its own. The texts may contain anything: nodemailer writes subject and
 * body encoded, and addresses are passed on as addresses and never as text of a header.
 */
export function createSendMail({ url, from }: SmtpSetting, options: MailOptions = {}): SendMail {
  const { phaseMs = usualPhaseMs, deadlineMs = usualDeadlineMs, ending } = options;
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  return async ({ to, subject, text, id, date }) => {
    if (!isDeliverable(to)) return { error: 'this is no address that e-mails can be sent to', isFinal: true };
    // Loaded with the first e-mail: most services send none.
    const { createTransport } = await import('nodemailer');
    const transport = createTransport({
      url,
      connectionTimeout: phaseMs,
      greetingTimeout: phaseMs,
      socketTimeout: phaseMs,
      dnsTimeout: phaseMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    const sending = transport.sendMail({
      from: { name: from.name, address: from.address },
      to: { name: '', address: to },
      subject: oneLine(subject),
      text,
      messageId: `<${id}@${domain}>`,
      date,
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
    try {
      await withDeadline(deadlineMs, () => sending, ending);
      return { error: null };
    } catch (error) {
      return failure(error);
    } finally {
      transport.close();
    }
  };
}

/** Addresses that a header could take for two, or for something else, are not sent to. */
const isDeliverable = (address: string): boolean =>
  /^[^\s@<>,;:"()[\]\\\p{C}]+@[^\s@<>,;:"()[\]\\\p{C}]+$/u.test(address);

/** Nodemailer encodes subjects. Line breaks have no place in one all the same. */
const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');

/** The server's reply, or the fault of the connection. Neither holds the password of the setting. */
function failure(error: unknown): Mailed {
  if (error instanceof DeadlinePassed) return { error: 'the mail server did not answer in time', isFinal: false };
  const reply = error instanceof Error && 'responseCode' in error ? Number(error.responseCode) : 0;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const text = oneLine(error instanceof Error ? error.message : String(error)).slice(0, 200);
  // A permanent refusal of the message or its address. Refused credentials or TLS are a matter of the settings, which may change.
  const isFinal = reply >= 500 && reply < 600 && ['EENVELOPE', 'EMESSAGE'].includes(code);
  return { error: reply > 0 ? `${reply}: ${text}` : text, isFinal };
}
