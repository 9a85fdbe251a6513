import type { Asked } from '../../../contracts/authorization.js';
import { type GrantScope, grantScopes } from '../../../contracts/grants.js';
import { agentsToChoose } from '../../api/grants/allow.js';
import type { Form } from '../form.js';
import { type Html, html } from '../html.js';
import { defaultOf, namespaceBoxes, namespacesOf } from '../namespaces/all.js';
import type { PageParts, PersonRequest } from '../page.js';

/** The choices of a person about what a client may do. */
export interface Choice {
  readonly agentId: string | null;
  readonly scopes: readonly GrantScope[];
  readonly namespaces: readonly string[];
  readonly find: string;
}

/** The choices as they were made in the form: no scope that the client has not requested. */
export function choiceIn(form: Form, asked: Asked): Choice {
  const chosen = form.all('scope');
  return {
    agentId: form.one('agent') || null,
    scopes: asked.scopes.filter((scope) => scope === 'mcp:tools' || chosen.includes(scope)),
    namespaces: form.all('namespace'),
    find: form.one('find'),
  };
}

const explanations: Readonly<Record<Exclude<GrantScope, 'mcp:tools'>, readonly [string, string]>> = {
  'memory.read': ['Read', 'Search and read the memories of the namespaces below, with their receipts.'],
  'memory.write': ['Write', 'Add memories, decisions and handoffs to the namespaces below. Each has a receipt.'],
};

/** The fields of the form, with the default choices where `made` is null. */
export async function choiceFields(
  request: PersonRequest,
  asked: Asked,
  made: Choice | null,
  parts: PageParts,
): Promise<Html> {
  const { workspace_id: workspaceId, role } = request.visitor.session.person;
  const all = await namespacesOf(request, parts);
  const agents = await agentsToChoose(parts.services.reading, workspaceId);
  const choice = made ?? { agentId: null, scopes: asked.scopes, namespaces: defaultOf(all), find: '' };
  const scopes = grantScopes.flatMap((scope) => (scope !== 'mcp:tools' && asked.scopes.includes(scope) ? [scope] : []));
  const boxes = scopes.map((scope) => {
    const isBeyond = scope === 'memory.write' && role === 'reader';
    const [label, explanation] = explanations[scope];
    const state = isBeyond ? html` disabled` : choice.scopes.includes(scope) ? html` checked` : undefined;
    return html`<li><label class="option"><input type="checkbox" name="scope" value="${scope}"${state}>
<span>${label}<small>${isBeyond ? 'Your role may read and not write, so you cannot allow it.' : explanation}</small></span></label></li>`;
  });
  const options = agents.map(({ agent_id, name, handle }) => {
    const label = name ?? handle;
    return html`<option value="${agent_id}"${agent_id === choice.agentId ? html` selected` : undefined}>${label === null ? agent_id : `${label} (${agent_id})`}</option>`;
  });
  return html`<fieldset><legend>It may</legend><ul class="options">
<li class="option"><span>Connect<small>Use the tools of this service until you revoke it at Grants, for 90 days at most.</small></span></li>
${boxes}</ul></fieldset>
<p class="field"><label for="agent">As the agent</label><span class="hint" id="agent-hint">Its writes are recorded as those of the agent. Without one it cannot subscribe to changes.</span>
<select id="agent" name="agent" aria-describedby="agent-hint"><option value="">No agent</option>${options}</select></p>
${namespaceBoxes({ all, chosen: choice.namespaces, find: choice.find })}`;
}
