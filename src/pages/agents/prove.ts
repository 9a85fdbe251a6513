import { agentLinked, handlePattern } from '../../../contracts/agents.js';
import { Refusal } from '../../../contracts/errors.js';
import { agentLinkOperation } from '../../api/agents/agents.js';
import { bindingOf } from '../../api/identities/to-prove.js';
import { ask } from '../ask.js';
import { hidden, textArea, textField } from '../components/fields.js';
import { problem, sentenceOf } from '../components/messages.js';
import { pageTop } from '../components/page-top.js';
import type { Form } from '../form.js';
import { addressOf } from '../frame/files.js';
import { html } from '../html.js';
import type { PageAnswer, PageParts, PersonPage, PersonRequest, Shown } from '../page.js';
import { agentsPath, requireAdmin } from './agent.js';
import { issued } from './issue.js';
import { provePath, signing, type ToProve } from './sign.js';

/**
 * Links an agent whose holder shows that they have its key: first the public key and the names, then the signature. The address of
 * the second step has what the first one has asked, and never a private key.
 */
export const provePage: PersonPage = {
  path: provePath,
  access: 'a person',
  writesNothing: true,
  async show(request, parts) {
    requireAdmin(request);
    const asked = askedIn(request.query);
    return asked === null ? describing(request, null) : signing(asked, request, parts, null);
  },
  async submit(request, parts): Promise<PageAnswer> {
    requireAdmin(request);
    const asked = request.form.one('do') === 'link' ? askedIn(request.query) : null;
    try {
      if (asked === null) return { location: stepOf(readAsked(request.form)) };
      return { location: `${agentsPath}/${await linked(asked, request, parts)}?linked` };
    } catch (error) {
      if (!(error instanceof Refusal) || error.status >= 500) throw error;
      return asked === null ? describing(request, error) : signing(asked, request, parts, error);
    }
  },
};

/** The agent that the address of the second step names; null for an address that names nothing that could be signed. */
function askedIn(query: URLSearchParams): ToProve | null {
  const text = (name: string) => query.get(name) ?? '';
  try {
    return toProve(text('key'), { name: text('name'), handle: text('handle'), vendor: text('vendor') });
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

function readAsked({ one }: Form): ToProve {
  return toProve(keyIn(one('public_key').trim()), {
    name: one('name').trim(),
    handle: one('handle').trim(),
    vendor: one('vendor').trim(),
  });
}

/** A key may be pasted as JSON Web Key. */
function keyIn(text: string): unknown {
  if (!text.startsWith('{')) return text;
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal('invalid_public_key');
  }
}

/** @throws Refusal invalid_name, invalid_request, invalid_public_key */
function toProve(
  public_key: unknown,
  { name, handle, vendor }: { readonly name: string; readonly handle: string; readonly vendor: string },
): ToProve {
  if (name === '') throw new Refusal('invalid_name', 'Give the agent a name, so that you recognize it later.');
  if (!handlePattern.test(handle))
    throw new Refusal('invalid_request', 'handle: must be @ and 2 to 32 characters of a-z, 0-9 and -.');
  return { handle, name, binding: bindingOf({ public_key, vendor, agent_name: name }) };
}

function stepOf({ binding, handle, name }: ToProve): string {
  const query = new URLSearchParams({ key: binding.public_key, name, handle });
  if (binding.vendor !== null) query.set('vendor', binding.vendor);
  return `${provePath}?${query}`;
}

/** Issues the identity where it is new, and links it. @returns the id of the link. @throws Refusal as the API does */
async function linked(asked: ToProve, request: PersonRequest, parts: PageParts): Promise<string> {
  const { form } = request;
  const agent_id = await issued(asked.binding, request, parts);
  const proof = { challenge: form.one('challenge'), signature: form.one('signature').trim() };
  const body = JSON.stringify({ agent_id, handle: asked.handle, name: asked.name, proof });
  const given = { body, idempotencyKey: form.one('once') };
  return (await ask(agentLinked, agentLinkOperation, request, given, parts)).id;
}

function describing({ form, token }: PersonRequest, refusal: Refusal | null): Shown {
  const { one } = form;
  return {
    status: refusal?.status ?? 200,
    title: 'Link an agent with a proof',
    script: 'agent-key.js',
    main: html`${pageTop({ above: [['Agents', agentsPath]], title: 'Link an agent with a proof', lead: 'The holder of a key signs a text about this workspace. The identity of the key is public and stays: everyone can read the key, the name and the vendor.' })}
${problem(refusal && sentenceOf(refusal))}
<form class="narrow" method="post" action="${provePath}">${hidden('token', token)}
${textField({ name: 'name', label: 'Name', value: one('name'), hint: 'The name of the agent, which is public.', more: html`maxlength="64" required autocomplete="off"` })}
${textField({ name: 'handle', label: 'Handle', value: one('handle'), hint: 'The handle in its task receipts, such as @triage-bot. Its public ones count for the identity.', more: html`maxlength="33" required autocomplete="off" autocapitalize="none" spellcheck="false"` })}
${textField({ name: 'vendor', label: 'Vendor', value: one('vendor'), hint: 'The maker of the agent, which is public. It may stay empty.', more: html`maxlength="64" autocomplete="off"` })}
${textArea({ name: 'public_key', label: 'Public key', value: one('public_key'), hint: 'As PEM, JWK, did:key or base64url; never a private key.', more: html`rows="4" required spellcheck="false" autocapitalize="none"` })}
<details><summary>How to make a key</summary><pre tabindex="0"><code>openssl genpkey -algorithm ed25519 -out agent.pem
openssl pkey -in agent.pem -pubout</code></pre><p class="note">The second command prints the public key. The file agent.pem is the private key: it stays with the agent.</p></details>
<p class="actions"><button name="do" value="ask">Continue</button><cf-key-pair data-script="${addressOf('ed25519.js')}"></cf-key-pair></p></form>`,
  };
}
