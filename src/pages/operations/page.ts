import { operationsState, operationsStateOperation } from '../../api/service/state.js';
import { ask } from '../ask.js';
import { pageTop } from '../components/page-top.js';
import { html } from '../html.js';
import { part } from '../overview/part.js';
import type { PersonPage } from '../page.js';
import { checkpoints, logKeyRows } from './log.js';
import { engines, figures, readiness, versions } from './parts.js';

const path = '/operations';

/** The state of the service, for the people who run it. It only shows: what to do is done with the commands of the documentation. */
export const operationsPage: PersonPage = {
  path,
  access: 'a person',
  async show(request, parts) {
    const state = await ask(operationsState, operationsStateOperation, request, {}, parts);
    const again = { path };
    return {
      status: 200,
      title: 'Operations',
      main: html`${pageTop({ title: 'Operations', actions: html`<a class="button second" href="${path}" data-live>Look again</a>`, lead: html`The state of the service, as this process sees it. <a href="/developers/operating">The pages for operators</a> say what each of it means and what to do.` })}
${readiness(state)}
${figures(state)}
${engines(state)}
${await part('Checkpoints', () => checkpoints(request, parts), again)}
${await part('Keys of the log', () => logKeyRows(request, parts), again)}
${versions(state)}`,
    };
  },
};
