import type { WebhookPattern } from '../../../contracts/webhooks.js';
import { said } from '../components/said.js';
import { type Html, html } from '../html.js';

/** Fields of a pattern that must be exactly equal, with their names in sentences. */
const exact = [
  ['agent_id', 'written by the agent'],
  ['user_id', 'written for the person'],
  ['app_id', 'written by the program'],
  ['run_id', 'written in the run'],
] as const;

/**
 * The memories that a pattern fits, in words, such as: in letters, with the words “ferry”.
 * @param names of namespaces and agents by their ids
 */
export function patternWords(pattern: WebhookPattern, names: ReadonlyMap<string, string>): Html {
  const { namespace_id, source, contains, metadata = {} } = pattern;
  const named = (id: string) => said(names.get(id) ?? id);
  const words = [
    namespace_id !== undefined && html`in ${named(namespace_id)}`,
    contains !== undefined && html`with the words ${quoted(contains, ' and ')}`,
    source !== undefined && html`from the source ${quoted(source, ' or ')}`,
    ...exact.map(([field, text]) => pattern[field] !== undefined && html`${text} ${named(pattern[field])}`),
    // The store may give the keys in another order than that in which they were sent.
    ...Object.entries(metadata)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, value]) => html`whose metadata ${said(key)} is ${said(JSON.stringify(value))}`),
  ].filter((one) => one !== false);
  return html`${words.map((one, at) => html`${at > 0 && ', '}${one}`)}`;
}

const quoted = (given: string | readonly string[], between: string): Html =>
  html`${[given].flat().map((one, at) => html`${at > 0 && between}“${said(one)}”`)}`;
