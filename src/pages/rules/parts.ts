import { facts } from '../components/facts.js';
import { hidden, selectField, textField } from '../components/fields.js';
import { icon } from '../components/icons.js';
import { identity } from '../components/identity.js';
import { empty } from '../components/messages.js';
import { state } from '../components/state.js';
import { time } from '../components/time.js';
import type { Pause } from '../frame/pause.js';
import { type Html, html } from '../html.js';
import type { RuleDraft } from './changes.js';
import { type AskRule, isVoid, type RuleNames, type Rules, ruleSentence } from './sentences.js';

/** The rules as a page shows them. */
export interface RulesShown {
  readonly rules: Rules;
  readonly pause: Pause | null;
  readonly names: RuleNames;
  readonly isOwner: boolean;
  readonly draft: RuleDraft;
  /** The setting that is chosen in the form. */
  readonly sensitive: string;
  /** The values that each form of the page sends besides its own fields. */
  readonly hidden: { readonly token: string; readonly seen: string };
  readonly now: number;
}

function form(shown: RulesShown, act: string, content: Html, look?: string): Html {
  const { token, seen } = shown.hidden;
  return html`<form method="post" action="/rules"${look && html` class="${look}"`}>${hidden('token', token)}${hidden('seen', seen)}${hidden('do', act)}
${content}</form>`;
}

/** Whether all agents are paused, and the switch. */
export function agentsPart(shown: RulesShown): Html {
  const { pause, isOwner, now } = shown;
  const others = html`<p class="hint">Only an owner pauses and resumes agents.</p>`;
  if (pause === null) {
    const button = html`<p class="actions"><button class="danger">${icon('pause')} Pause all agents</button></p>`;
    return html`<section id="pause"><h2>Agents</h2>
<div class="card"><p>${state('verified', 'Running')}</p>
<p class="hint">A pause refuses everything that agents and API keys write or delete, until an owner ends it. People and searches are not concerned.</p>
${isOwner ? form(shown, 'pause', button, 'inline') : others}</div></section>`;
  }
  const button = html`<p class="actions"><button>${icon('play')} Resume all agents</button></p>`;
  return html`<section id="pause"><h2>Agents</h2>
<div class="card"><p>${state('not-checked', 'All agents are paused')}</p>
${facts([
  ['Paused', time(pause.since, now)],
  ['By', pause.by === null ? 'a person who has left' : html`<bdi>${pause.by}</bdi>`],
  ['Receipt', identity(pause.receipt)],
])}
${isOwner ? form(shown, 'resume', button, 'inline') : others}</div></section>`;
}

const ways = [
  ['redact', 'Redact', 'Each is replaced by [redacted] before the text is stored.'],
  ['reject', 'Refuse the write', 'Nothing of the text is stored, and the writer learns why.'],
] as const;

/** The choice between redacting sensitive values and refusing the write. */
export function sensitivePart(shown: RulesShown): Html {
  const options = ways.map(
    ([value, name, hint]) =>
      html`<li><label class="option"><input type="radio" name="sensitive" value="${value}"${value === shown.sensitive ? html` checked` : undefined}>
<span>${name}<small>${hint}</small></span></label></li>`,
  );
  return html`<section class="narrow-form"><h2>Sensitive values</h2>
<p class="hint">E-mail addresses, phone numbers, card numbers, IBANs, private keys and tokens of well-known providers, in what is written.</p>
${form(
  shown,
  'sensitive',
  html`<fieldset><legend>When a write has one</legend><ul class="options">${options}</ul></fieldset>
<p class="actions"><button class="second">Save</button></p>`,
)}</section>`;
}

/** The rules that hold writes, each with its button, and the form that adds one. */
export function askPart(shown: RulesShown): Html {
  const { rules } = shown;
  const cards = rules.ask_owner.map((rule, at) => card(rule, at, shown));
  return html`<section><h2>Writes that wait</h2>
${cards.length === 0 ? empty('No write waits for a decision. Add a rule below to hold some.') : html`<ul class="cards">${cards}</ul>`}</section>
<section class="narrow-form" id="add"><h2>Add a rule</h2>
<p class="hint">A write waits when everything that you fill in here holds of it. Leave the rest empty.</p>
${form(shown, 'add', fields(shown))}</section>`;
}

function card(rule: AskRule, at: number, shown: RulesShown): Html {
  const gone = isVoid(rule, shown.names)
    ? html`<p class="hint">It holds nothing any more, and goes with the next rule that is added or removed.</p>`
    : undefined;
  const button = html`${hidden('at', String(at))}<p class="actions"><button class="second small">Remove<span class="spoken"> rule ${at + 1}</span></button></p>`;
  return html`<li class="card"><div>${ruleSentence(rule, shown.names)}</div>${gone}
${form(shown, 'remove', button, 'inline')}</li>`;
}

function fields({ draft, names, pause, isOwner }: RulesShown): Html {
  const namespaces = [...names.namespaces].sort(([, a], [, b]) => (a < b ? -1 : 1));
  const short = html`maxlength="1024" autocomplete="off"`;
  return html`${textField({ name: 'source', label: 'Source', value: draft.source, hint: 'Exactly as writers name it, such as crawler.', more: short })}
${selectField({ name: 'namespace_id', label: 'Namespace', value: draft.namespace_id, options: [['', 'Every namespace'], ...namespaces] })}
${textField({ name: 'min_bytes', label: 'Bytes at least', value: draft.min_bytes, hint: 'Of the text, up to 1048576.', more: html`inputmode="numeric" autocomplete="off"` })}
${textField({ name: 'agent_id', label: 'Agent', value: draft.agent_id, hint: 'Its id, as the page Keys shows it.', more: short })}
${textField({ name: 'app_id', label: 'Program', value: draft.app_id, hint: 'The app_id of a key, or of a program with a grant, such as Cursor (cursor.com).', more: short })}
<p class="actions"><button${pause && isOwner && html` class="second"`}>Add the rule</button></p>`;
}
