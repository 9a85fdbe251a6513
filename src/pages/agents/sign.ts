import type { Binding } from '../../../contracts/entries/registry.js';
import type { Refusal } from '../../../contracts/errors.js';
import { challenge } from '../../../contracts/identities.js';
import { callAs } from '../../api/call.js';
import { challengeOperation } from '../../api/identities/identities.js';
import { textsToSign } from '../../api/identities/to-prove.js';
import { read } from '../ask.js';
import { copied } from '../components/copied.js';
import { facts } from '../components/facts.js';
import { hidden, textField } from '../components/fields.js';
import { identity } from '../components/identity.js';
import { problem, sentenceOf } from '../components/messages.js';
import { pageTop } from '../components/page-top.js';
import { said } from '../components/said.js';
import { type Html, html } from '../html.js';
import type { PageParts, PersonRequest, Shown } from '../page.js';
import { agentsPath } from './agent.js';

export const provePath = `${agentsPath}/prove`;

/** An agent whose key is about to be proved. */
export interface ToProve {
  readonly binding: Binding;
  readonly handle: string;
  readonly name: string;
}

/** The texts to sign, and the fields for the signatures. Each look draws other challenges, which hold for ten minutes. */
export async function signing(
  { binding, handle, name }: ToProve,
  request: PersonRequest,
  parts: PageParts,
  refusal: Refusal | null,
): Promise<Shown> {
  const { token, visitor, query } = request;
  const challenges = { link: await drawn(request, parts), identity: await drawn(request, parts) };
  const { workspaceId } = visitor.caller;
  const texts = textsToSign(binding, { workspaceId, handle }, challenges);
  return {
    status: refusal?.status ?? 200,
    title: 'Sign the link of the agent',
    script: 'agent-key.js',
    main: html`${pageTop({
      above: [
        ['Agents', agentsPath],
        ['Link with a proof', provePath],
      ],
      title: html`Sign the link of ${said(name)}`,
    })}
${problem(refusal && html`${sentenceOf(refusal)} The text below is a new one, so sign it again.`)}
${facts([
  ['Identity', copied(html`<code>${texts.agentId}</code>`, texts.agentId)],
  ['Handle', handle],
  binding.vendor !== null && ['Vendor', said(binding.vendor)],
  ['Public key', identity(binding.public_key)],
])}
<form class="narrow" method="post" action="${provePath}?${query.toString()}" data-sign>${hidden('token', token)}${hidden('once', parts.services.writing.world.id())}${hidden('challenge', challenges.link)}${hidden('own_challenge', challenges.identity)}
<p>Run this where the private key is, within ten minutes, and paste the line that it prints. <a href="/developers/guides/identities">Identities</a> says how keys of other kinds than Ed25519 sign.</p>
${command(texts.link)}
${signatureField({ name: 'signature', label: 'Signature', hint: 'It shows that the holder of the key agrees to this workspace and handle.', parts: texts.link, isRequired: true })}
<details><summary>Prove the identity too</summary><p>A second signature makes the public record of the identity verified. The link does not need it.</p>
${command(texts.identity)}
${signatureField({ name: 'own_signature', label: 'Signature of the identity', hint: 'It may stay empty.', parts: texts.identity, isRequired: false })}</details>
<p class="actions"><button name="do" value="link">Link the agent</button></p></form>`,
  };
}

async function drawn({ client }: PersonRequest, parts: PageParts): Promise<string> {
  return read(challenge, await callAs({ anybody: true }, challengeOperation, { client }, parts)).challenge;
}

/** The parts have no character that a shell takes for anything else. */
function command([label = '', ...parts]: readonly string[]): Html {
  const text = `printf '${label}${parts.map(() => '\\0%s').join('')}' ${parts.join(' ')} > message
openssl pkeyutl -sign -rawin -inkey agent.pem -in message | base64 -w0 | tr '+/' '-_' | tr -d '='; echo`;
  return copied(html`<pre tabindex="0"><code>${text}</code></pre>`, text);
}

interface SignatureField {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  /** The parts of the text that is signed; the script of the page reads them. None of them has a space. */
  readonly parts: readonly string[];
  readonly isRequired: boolean;
}

const signatureField = ({ name, label, hint, parts, isRequired }: SignatureField): Html =>
  textField({
    name,
    label,
    hint,
    more: html`data-signs="${parts.join(' ')}" maxlength="200" autocomplete="off" spellcheck="false"${isRequired && html` required`}`,
  });
