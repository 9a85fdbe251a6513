import { agentList } from '../../../contracts/agents.js';
import { namedReceipt } from '../../../contracts/any-receipt.js';
import { Refusal } from '../../../contracts/errors.js';
import { rulesChanged, rules as rulesShape } from '../../../contracts/rules.js';
import { agentListOperation } from '../../api/agents/agents.js';
import { receiptOperation } from '../../api/receipts/receipts.js';
import { rulesChangeOperation, rulesOperation } from '../../api/workspace/rules.js';
import { ask } from '../ask.js';
import { identity } from '../components/identity.js';
import { done, problem, sentenceOf } from '../components/messages.js';
import { pageTop } from '../components/page-top.js';
import { standingOf } from '../frame/pause.js';
import { type Html, html } from '../html.js';
import { namespacesOf } from '../namespaces/all.js';
import type { PageAnswer, PageParts, PersonPage, PersonRequest } from '../page.js';
import { changed, digestOf, draftIn } from './changes.js';
import { agentsPart, askPart, type RulesShown, sensitivePart } from './parts.js';
import type { RuleNames } from './sentences.js';

const path = '/rules';

/** The demands of the workspace on writes, and the pause of all agents. */
export const rulesPage: PersonPage = {
  path,
  access: 'a person',
  writesNothing: true,
  show: (request, parts) => overview(request, parts, null),
  async submit(request, parts) {
    try {
      const now = await ask(rulesShape, rulesOperation, request, {}, parts);
      if (request.form.one('seen') !== digestOf(now)) return overview(request, parts, 'others have changed them');
      const names = await namesFor(request, parts);
      const body = JSON.stringify(changed({ form: request.form, now, names }));
      const { receipt_id } = await ask(rulesChanged, rulesChangeOperation, request, { body }, parts);
      return { location: `${path}?${receipt_id === null ? 'same' : `receipt=${receipt_id}`}` };
    } catch (error) {
      if (error instanceof Refusal && error.status < 500) return overview(request, parts, error);
      throw error;
    }
  },
};

type Fault = Refusal | 'others have changed them' | null;

const meanwhile =
  'The rules were changed after this page was opened, so nothing was done. Below they are as they are now, with what you ' +
  'have typed. Look at them, and send your change again.';

/** @throws Refusal for people who may not manage the workspace */
async function overview(request: PersonRequest, parts: PageParts, fault: Fault): Promise<PageAnswer> {
  const { visitor, client, form, token } = request;
  const rules = await ask(rulesShape, rulesOperation, request, {}, parts);
  const { pause } = await standingOf(visitor, client, parts);
  const sent = fault !== null;
  const shown: RulesShown = {
    rules,
    pause,
    names: await namesFor(request, parts),
    isOwner: visitor.session.person.role === 'owner',
    draft: draftIn(form),
    sensitive: sent && form.one('do') === 'sensitive' ? form.one('sensitive') : rules.sensitive,
    hidden: { token, seen: digestOf(rules) },
    now: request.now,
  };
  return {
    status: fault === null ? 200 : fault instanceof Refusal ? fault.status : 409,
    title: 'Rules',
    main: html`${pageTop({ title: 'Rules', lead: 'What this workspace demands of writes. Each change is recorded with a receipt.' })}
${problem(fault instanceof Refusal ? sentenceOf(fault) : fault && meanwhile)}${sent ? undefined : await outcome(request, parts)}
${agentsPart(shown)}
${sensitivePart(shown)}
${askPart(shown)}`,
  };
}

async function namesFor(request: PersonRequest, parts: PageParts): Promise<RuleNames> {
  const namespaces = await namespacesOf(request, parts);
  const { data } = await ask(agentList, agentListOperation, request, { query: { limit: '100' } }, parts);
  return {
    namespaces: new Map(namespaces.map(({ id, name }) => [id, name])),
    agents: new Map(
      data.flatMap(({ agent_id, name, handle }) => ((name ?? handle) ? [[agent_id, name ?? handle ?? '']] : [])),
    ),
  };
}

/** A sentence about the change that was just made. The address alone proves nothing: its receipt must be there. */
async function outcome(request: PersonRequest, parts: PageParts): Promise<Html | undefined> {
  const { query } = request;
  if (query.has('same')) return done('Nothing was changed: the rules were like this already.');
  const id = query.get('receipt');
  if (id === null) return undefined;
  try {
    const { kind } = await ask(namedReceipt, receiptOperation, request, { params: { receipt_id: id } }, parts);
    return kind === 'rules.changed' ? done(html`The rules were changed. The receipt is ${identity(id)}.`) : undefined;
  } catch (error) {
    if (error instanceof Refusal && error.status < 500) return undefined;
    throw error;
  }
}
