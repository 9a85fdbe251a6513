import { excerptOf } from '../base/excerpt.js';

/** An approval as an e-mail describes it. All texts may have been chosen by a caller, except the id and the address. */
interface Asked {
  readonly id: string;
  readonly notice: 'waiting' | 'ending';
  readonly workspace: string;
  /** A person is named by an address, and every other requester by a name that someone has chosen. */
  readonly requester: { readonly type: string; readonly name: string | null };
  readonly agent: string | null;
  readonly summary: string;
  readonly expiresAt: string;
  readonly baseUrl: string;
}

const kinds: Readonly<Record<string, string>> = {
  person: 'the person',
  key: 'the API key',
  agent_key: 'the agent key',
  grant: 'the program',
};

/** The e-mail to a person who may decide. It has nothing of the content that waits: that is shown only to people who sign in. */
export function approvalMail({ id, notice, workspace, requester, agent, summary, expiresAt, baseUrl }: Asked): {
  subject: string;
  text: string;
} {
  const where = named(workspace);
  const who = `${kinds[requester.type] ?? 'a caller'}${requester.name === null ? '' : ` ${named(requester.name)}`}`;
  const begin = notice === 'waiting' ? 'A request waits for your decision' : 'A request expires in less than a day';
  return {
    subject: notice === 'waiting' ? `Approval needed in ${where}` : `Approval in ${where} expires soon`,
    text: [
      `${begin} in the workspace ${where}.`,
      '',
      `Asked by: ${who}${agent === null ? '' : ` for the agent ${named(agent)}`}`,
      `Request:  ${plainLine(summary, 1000)}`,
      `Expires:  ${expiresAt}`,
      `Decide:   ${baseUrl}/approvals/${id}`,
      '',
      'You get this e-mail because you are an owner or admin who may decide. Names and descriptions were chosen by those who asked:',
      'open no other address than the one above.',
      '',
    ].join('\n'),
  };
}

const named = (text: string): string => `"${plainLine(text, 100)}"`;

/**
 * A text of a caller as a part of one line: without line breaks and characters that cannot be seen, which could imitate another line
 * or turn the reading direction, and without an address that a mail program would make a link of.
 */
function plainLine(text: string, codePoints: number): string {
  const line = text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').replace(/:\/\//g, ': //');
  return excerptOf(line.replace(/ {2,}/g, ' ').trim(), codePoints);
}
