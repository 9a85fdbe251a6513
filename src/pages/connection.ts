import { problem } from './components/messages.js';
import { plainPage } from './frame/plain.js';
import { html } from './html.js';

/**
 * The page for a person whose application made a request that cannot be answered, where the browser cannot be sent back.
 * @param code as OAuth names it, for the people who make the application
 */
export function connectionProblem(sentence: string, code: string): string {
  const title = 'This application cannot be connected';
  const main = html`<div class="narrow"><h1>${title}</h1>
${problem(sentence)}
<p>Nothing was allowed. Go back to the application and connect it again. If that does not help, give its makers this code: <code>${code}</code>.</p></div>`;
  return plainPage(title, main);
}
