import { erc8004Link, erc8004Unlinked } from '../../../contracts/erc8004.js';
import { Refusal } from '../../../contracts/errors.js';
import { erc8004LinkOperation, erc8004UnlinkOperation } from '../../api/agents/erc8004.js';
import { erc8004TextToSign } from '../../api/agents/erc8004-text.js';
import { ask } from '../ask.js';
import { copied } from '../components/copied.js';
import { hidden, textField } from '../components/fields.js';
import { notice, problem, sentenceOf } from '../components/messages.js';
import { pageTop } from '../components/page-top.js';
import { said } from '../components/said.js';
import { type Html, html } from '../html.js';
import type { PageParts, PersonPage, PersonRequest, Shown } from '../page.js';
import { type Agent, agentNamed, agentsPath, requireAdmin, titleOf } from './agent.js';
import { type Erc8004Link, erc8004Facts, erc8004LinkOf, erc8004Path, registrationFile, whyNot } from './erc8004.js';

/** Links an agent to an agent of ERC-8004: first its number there, then one of two proofs. It ends the link, too. */
export const erc8004Page: PersonPage = {
  path: `${agentsPath}/:link_id/erc8004`,
  access: 'a person',
  writesNothing: true,
  show: (request, parts) => linking(request, parts, null),
  async submit(request, parts) {
    const { link_id = '' } = request.params;
    try {
      await carryOut(link_id, request, parts);
      return { location: `${agentsPath}/${link_id}` };
    } catch (error) {
      if (error instanceof Refusal && (error.status < 500 || error.code === 'fetch_failed'))
        return linking(request, parts, error);
      throw error;
    }
  },
};

/** @throws Refusal as the API does */
async function carryOut(link_id: string, request: PersonRequest, parts: PageParts): Promise<void> {
  const { form } = request;
  const params = { link_id };
  const link = async (proof: object) => {
    const body = JSON.stringify({ agent_id: form.one('number').trim(), proof });
    await ask(erc8004Link, erc8004LinkOperation, request, { params, body }, parts);
  };
  switch (form.one('do')) {
    case 'sign':
      return link({ signature: form.one('signature').trim() });
    case 'file':
      return link({ registration: true });
    case 'end':
      await ask(erc8004Unlinked, erc8004UnlinkOperation, request, { params }, parts);
      return;
    default:
      throw new Refusal('invalid_request', 'This form names no change.');
  }
}

async function linking(request: PersonRequest, parts: PageParts, refusal: Refusal | null): Promise<Shown> {
  requireAdmin(request);
  const agent = await agentNamed(request.params.link_id ?? '', request, parts);
  const link = await erc8004LinkOf(agent, request, parts);
  const missing = whyNot(agent, parts);
  return {
    status: refusal?.status ?? 200,
    title: 'ERC-8004',
    main: html`${pageTop({
      above: [
        ['Agents', agentsPath],
        [said(titleOf(agent)), `${agentsPath}/${agent.id}`],
      ],
      title: html`${said(titleOf(agent))} on ERC-8004`,
      lead: 'ERC-8004 has registries of agents on Ethereum. An agent there is a numbered token with an owner. Linked to it, this agent gets feedback there, which the service makes from its public task receipts.',
    })}
${problem(refusal && sentenceOf(refusal))}
${link && linked(link, agent, request, parts)}
${missing === null ? ways(agent, link, request, parts) : notice(missing)}`,
  };
}

function linked(link: Erc8004Link, agent: Agent, { token }: PersonRequest, parts: PageParts): Html {
  return html`<section><h2>The link</h2>${erc8004Facts(link, agent, parts)}
<form method="post" action="${erc8004Path(agent.id)}">${hidden('token', token)}
<p class="hint">Feedback that is on the chain stays there when the link ends.</p>
<p class="actions"><button class="danger" name="do" value="end">End the link</button></p></form></section>`;
}

/** The number first, because the text to sign has it. */
function ways(agent: Agent, link: Erc8004Link | null, request: PersonRequest, parts: PageParts): Html {
  const { form, query, token } = request;
  const { erc8004 } = parts.services.access;
  const number = (form.one('number') || (query.get('number') ?? '')).trim();
  const path = erc8004Path(agent.id);
  const asking = html`<form class="narrow">
${textField({ name: 'number', label: 'Number of the agent there', value: number, hint: 'The id of its token in the identity registry, such as 22.', more: html`maxlength="78" inputmode="numeric" pattern="[0-9]+" required autocomplete="off"` })}
<p class="actions"><button class="${number === '' ? '' : 'second'}">Continue</button></p></form>`;
  const start = html`<section><h2>${link === null ? 'Link it' : 'Link it to another agent'}</h2>
<p class="hint">An agent that is not registered yet gets its number when its owner registers it; this service registers none. It can have this file of the identity as its registration file: ${registrationFile(agent, parts.services.service.baseUrl)}</p>
${asking}</section>`;
  if (erc8004 === null || !/^\d{1,78}$/.test(number)) return start;
  const text = erc8004TextToSign(agent.agent_id, number, erc8004);
  return html`${start}
<section class="narrow"><h2>By a signature</h2>
<p>The account that owns agent ${number}, or its wallet, signs this text as wallets sign messages (EIP-191, <code>personal_sign</code>):</p>
<p class="card after">${copied(html`<code>${text}</code>`, text)}</p>
<form method="post" action="${path}">${hidden('token', token)}${hidden('number', number)}
${textField({ name: 'signature', label: 'Signature', value: form.one('signature'), hint: '0x and 130 hex digits.', more: html`maxlength="400" required autocomplete="off" spellcheck="false"` })}
<p class="actions"><button name="do" value="sign">Link by the signature</button></p></form></section>
<section class="narrow"><h2>By its registration file</h2>
<p>The file at the <code>tokenURI</code> of agent ${number} names <code>${agent.agent_id}</code> as its member <code>counterfoil</code>. The service reads it once, now. Owners that are contracts use this way.</p>
<form method="post" action="${path}">${hidden('token', token)}${hidden('number', number)}
<p class="actions"><button class="second" name="do" value="file">Link by the registration file</button></p></form></section>`;
}
