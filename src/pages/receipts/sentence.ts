import type { z } from 'zod';
import type { anyReceipt } from '../../../contracts/any-receipt.js';
import { counted } from '../components/counted.js';
import type { IconName } from '../components/icons.js';
import { identity } from '../components/identity.js';
import { said } from '../components/said.js';
import { type Html, html } from '../html.js';

export type Receipt = z.output<typeof anyReceipt>;
export type Names = Readonly<Record<string, string>>;

const ofKinds: Readonly<Record<string, IconName>> = {
  'memory.write': 'file-text',
  'memory.recall': 'scan-search',
  'memory.delete': 'trash-2',
  'memory.invalidated': 'ban',
  'memory.reinstated': 'rotate-ccw',
  'memory.moved': 'arrow-right-left',
  'memory.promoted': 'file-text',
  'rules.changed': 'pause',
  task: 'activity',
  decision: 'git-branch',
  handoff: 'arrow-right-left',
  approval: 'check',
};

/** The icons of kinds that begin with the same word. */
const ofGroups: Readonly<Record<string, IconName>> = {
  approval: 'clock-3',
  key: 'key-round',
  agent_key: 'key-round',
  attestation_key: 'key-round',
  grant: 'key-round',
  agent: 'bot',
  erc8004: 'bot',
  member: 'user',
  webhook: 'webhook',
};

export function iconOf(kind: string): IconName {
  return ofKinds[kind] ?? ofGroups[kind.split('.')[0] ?? ''] ?? 'file-text';
}

/** The name of the actor: that of its key, person or grant, else the application that the entry names, else its id. */
export function actorName({ actor }: Pick<Receipt, 'actor'>, names: Names): string {
  const { id, app_id, type } = actor;
  const known = typeof id === 'string' ? names[id] : undefined;
  if (known !== undefined) return known === 'a person' ? 'A person' : known;
  if (typeof app_id === 'string') return app_id;
  return type === 'system' ? 'The service' : textOf(id) || 'Someone';
}

export function bodyOf(receipt: Receipt): Readonly<Record<string, unknown>> {
  return 'body' in receipt ? receipt.body : {};
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A namespace by its name, and by its id where it is gone. */
export function namespaceName(id: string, names: Names): Html {
  const name = names[id];
  return name === undefined ? identity(id) : said(name);
}

/** The part of the sentence after the verb: where, to whom, and how much. */
export function objectOf(receipt: Receipt, names: Names): Html | undefined {
  if (receipt.kind === 'task') return 'task' in receipt ? taskObject(receipt.task) : undefined;
  const body = bodyOf(receipt);
  const { kind } = receipt;
  const namespaceId = textOf(body.namespace_id);
  if (kind === 'handoff') return html`to ${agentName(textOf(body.to_agent), names)}`;
  if (kind === 'memory.recall') return recallObject(body);
  if (kind === 'memory.moved')
    return html`from ${namespaceName(textOf(body.from), names)} to ${namespaceName(textOf(body.to), names)}`;
  if (kind === 'approval') return html`which was ${textOf(body.decision)}`;
  if (typeof body.name === 'string') return html`“${said(body.name)}”`;
  if (kind === 'namespace.deleted') return namespaceName(namespaceId, names);
  if (namespaceId !== '') return html`in ${namespaceName(namespaceId, names)}${bytes(body.content_bytes)}`;
  const named = [body.key_id, body.agent_id, body.member_id].map(textOf).find((id) => names[id] !== undefined);
  return named === undefined ? undefined : html`${said(names[named] ?? named)}`;
}

function taskObject(task: Readonly<Record<string, unknown>>): Html {
  const parts = [task.agent_handle, task.platform, task.status].map(textOf).filter((part) => part !== '');
  return html`${parts.map((part, at) => html`${at > 0 && ', '}${said(part)}`)}`;
}

function recallObject({ namespace_ids, results }: Readonly<Record<string, unknown>>): Html {
  const [places, hits] = [lengthOf(namespace_ids), lengthOf(results)];
  return html`${counted(places, 'namespace')}, ${counted(hits, 'hit')}`;
}

function lengthOf(list: unknown): number {
  return Array.isArray(list) ? list.length : 0;
}

function bytes(size: unknown): string | undefined {
  return typeof size === 'number' ? `, ${counted(size, 'byte')}` : undefined;
}

function agentName(id: string, names: Names): Html {
  return names[id] === undefined ? identity(id) : said(names[id]);
}
