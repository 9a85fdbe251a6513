import { plainPage } from './frame/plain.js';
import { html } from './html.js';

/** The page for a person who opens the address of the MCP server in a browser: how to connect a client. */
export function connectPage(baseUrl: string): string {
  const address = `${baseUrl}/mcp`;
  const settings = JSON.stringify({ mcpServers: { counterfoil: { type: 'http', url: address } } }, null, 2);
  const main = html`<div class="wide">
<h1>Connect a client</h1>
<p class="after">This is the address of an MCP server. Clients of the Model Context Protocol connect to it; a browser finds nothing else here.</p>
<pre><code>${address}</code></pre>
<section><h2>Claude Code</h2>
<pre><code>claude mcp add --transport http counterfoil ${address}</code></pre></section>
<section><h2>Codex</h2>
<pre><code>codex mcp add counterfoil --url ${address}</code></pre></section>
<section><h2>Claude, ChatGPT and other apps</h2>
<p>Add a custom connector and paste the address. The app then asks you to sign in here.</p></section>
<section><h2>Cursor, VS Code and clients with a file of settings</h2>
<pre><code>${settings}</code></pre>
<p class="after">In VS Code the list is called <code>servers</code> and not <code>mcpServers</code>.</p></section>
<section><h2>Agents that run by themselves</h2>
<p>They send an agent key: <code>Authorization: Bearer agk_…</code>. An admin makes one on the page <a href="/keys">Keys</a>.</p></section>
</div>`;
  return plainPage('Connect a client', main);
}
