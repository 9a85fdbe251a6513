import { createHash } from 'node:crypto';
import { Refusal } from '../../../contracts/errors.js';
import { limits } from '../../../contracts/limits.js';
import type { Form } from '../form.js';
import { type AskRule, isVoid, type RuleNames, type Rules } from './sentences.js';

/** The rule that a person has typed, as it was typed. */
export interface RuleDraft {
  readonly source: string;
  readonly agent_id: string;
  readonly app_id: string;
  readonly namespace_id: string;
  readonly min_bytes: string;
}

export function draftIn({ one }: Form): RuleDraft {
  return {
    source: one('source'),
    agent_id: one('agent_id'),
    app_id: one('app_id'),
    namespace_id: one('namespace_id'),
    min_bytes: one('min_bytes'),
  };
}

/** A digest of the rules that a page shows: a change by someone else gives another one. */
export function digestOf({ pause_all, sensitive, ask_owner }: Rules): string {
  return createHash('sha256')
    .update(JSON.stringify([pause_all, sensitive, ask_owner]), 'utf8')
    .digest('base64url');
}

/** The body of a request that changes the rules. Without `ask_owner` these rules stay as they are. */
interface NewRules {
  readonly pause_all: boolean;
  readonly sensitive: string;
  readonly ask_owner?: readonly object[];
}

/** The rules as the form wants them. @throws Refusal invalid_request */
export function changed({ form, now, names }: { form: Form; now: Rules; names: RuleNames }): NewRules {
  const { pause_all, sensitive, ask_owner } = now;
  // The API takes no rule about a namespace that is gone, so such a rule goes with the next change of the list.
  const left = ask_owner.map((rule, at) => ({ rule, at })).filter(({ rule }) => !isVoid(rule, names));
  switch (form.one('do')) {
    case 'pause':
      return { pause_all: true, sensitive };
    case 'resume':
      return { pause_all: false, sensitive };
    case 'sensitive':
      return { pause_all, sensitive: form.one('sensitive') };
    case 'remove': {
      if (ask_owner[Number(form.one('at') || NaN)] === undefined)
        throw new Refusal('invalid_request', 'There is no such rule.');
      const kept = left.filter(({ at }) => String(at) !== form.one('at'));
      return { pause_all, sensitive, ask_owner: kept.map(({ rule }) => rule) };
    }
    case 'add': {
      const kept = left.map(({ rule }) => rule);
      return { pause_all, sensitive, ask_owner: [...kept, added(draftIn(form), kept)] };
    }
    default:
      throw new Refusal('invalid_request', 'Choose what to change.');
  }
}

/** @throws Refusal invalid_request */
function added({ min_bytes: typed, ...texts }: RuleDraft, kept: readonly AskRule[]): AskRule {
  const rule: AskRule = Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
  if (typed !== '') rule.min_bytes = wholeNumber(typed);
  if (Object.keys(rule).length === 0)
    throw new Refusal('invalid_request', 'Fill in at least one field: a rule without any would hold every write.');
  const text = inOrder(rule);
  if (kept.some((one) => inOrder(one) === text)) throw new Refusal('invalid_request', 'There is such a rule already.');
  return rule;
}

/** @throws Refusal invalid_request */
function wholeNumber(typed: string): number {
  const number = Number(typed);
  if (!/^\d+$/.test(typed) || number < 1 || number > limits.contentBytes)
    throw new Refusal(
      'invalid_request',
      'The number of bytes must be a whole number from 1 to 1048576, without commas.',
    );
  return number;
}

const inOrder = ({ source, agent_id, app_id, namespace_id, min_bytes }: AskRule): string =>
  JSON.stringify([source, agent_id, app_id, namespace_id, min_bytes]);
