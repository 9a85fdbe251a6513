import type { z } from 'zod';
import type { rules as rulesShape } from '../../../contracts/rules.js';
import { said } from '../components/said.js';
import { type Html, html } from '../html.js';

export type Rules = z.output<typeof rulesShape>;
export type AskRule = Rules['ask_owner'][number];

/** The names behind the ids in rules. */
export interface RuleNames {
  readonly namespaces: ReadonlyMap<string, string>;
  readonly agents: ReadonlyMap<string, string>;
}

/** A rule as a sentence. All that it says must hold of a write. */
export function ruleSentence(rule: AskRule, names: RuleNames): Html {
  const { source, agent_id, app_id, namespace_id, min_bytes } = rule;
  return html`Writes${source !== undefined && html` of source <strong>${said(source)}</strong>`}${agent_id !== undefined && html` by the agent ${agent(agent_id, names)}`}${app_id !== undefined && html` by the program <strong>${said(app_id)}</strong>`}${namespace_id !== undefined && html` to ${namespace(namespace_id, names)}`}${min_bytes !== undefined && html` of at least <strong>${bytes(min_bytes)}</strong>`} wait for an owner or admin.`;
}

function agent(id: string, { agents }: RuleNames): Html {
  const name = agents.get(id);
  const code = html`<code>${said(id)}</code>`;
  return name === undefined ? code : html`<strong>${said(name)}</strong> (${code})`;
}

function namespace(id: string, { namespaces }: RuleNames): Html {
  const name = namespaces.get(id);
  return name === undefined
    ? html`a namespace that was deleted (<code>${id}</code>)`
    : html`namespace <strong>${said(name)}</strong>`;
}

function bytes(count: number): string {
  return count === 1 ? '1 byte' : `${count.toLocaleString('en')} bytes`;
}

/** Whether the rule is about a namespace that is gone, so that it holds no write any more. */
export function isVoid({ namespace_id: id }: AskRule, { namespaces }: RuleNames): boolean {
  return id !== undefined && !namespaces.has(id);
}
