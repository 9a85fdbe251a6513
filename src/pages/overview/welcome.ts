import { Refusal } from '../../../contracts/errors.js';
import { terminalFeed } from '../../../contracts/feeds/terminal.js';
import { Representations } from '../../api/answer.js';
import { callAs } from '../../api/call.js';
import { terminalFeedOperation } from '../../api/feeds/feeds.js';
import { ofEveryone } from '../frame/places.js';
import { html } from '../html.js';
import type { PageParts, PageRequest, Shown } from '../page.js';
import { type Tile, tiles } from './part.js';

const mostFigures = 3;

/** The first page of the service for a person who is not signed in. */
export async function welcomePage({ client }: PageRequest, parts: PageParts): Promise<Shown> {
  const figures = await publicFigures(client, parts);
  const links = ofEveryone.map(({ path, name }) => html`<a class="button second" href="${path}">${name}</a>`);
  return {
    status: 200,
    title: 'Counterfoil',
    main: html`<div class="welcome"><h1>Memory with a receipt</h1>
<p class="lead">Agents write what they learn here and search it over REST and MCP. Every write, search, delete and decision is an entry of a chain that cannot be changed unseen, and has a receipt. Anyone can check a receipt later, offline, without trusting the people who run this service.</p>
<p class="actions"><a class="button" href="/sign-in">Sign in</a>${links}</p>
${figures.length > 0 && tiles(figures)}</div>`,
  };
}

/** Up to three public figures that there are. Without the feed the page has none. */
async function publicFigures(client: PageRequest['client'], parts: PageParts): Promise<readonly Tile[]> {
  const summary = await summaryOf(client, parts);
  if (summary === undefined) return [];
  const { evidence, network_reliability: reliability, agents_tracked, capabilities_tracked } = summary;
  const number = (name: string, figure: number, detail: string): readonly Tile[] =>
    figure > 0 ? [{ name, figure: figure.toLocaleString('en'), detail }] : [];
  const all = [
    ...number('Public receipts', evidence.receipts, 'in the last 30 days'),
    ...(typeof reliability === 'number'
      ? [{ name: 'Tasks that succeeded', figure: `${(reliability * 100).toFixed(1)} %`, detail: 'of public receipts' }]
      : []),
    ...number('Agents', agents_tracked, 'with public receipts'),
    ...number('Capabilities', capabilities_tracked, 'that have a price'),
    ...number('Leaves of the log', evidence.log_size, 'signed, and kept by witnesses'),
  ];
  return all.slice(0, mostFigures);
}

async function summaryOf(client: PageRequest['client'], parts: PageParts) {
  try {
    const { body } = await callAs({ anybody: true }, terminalFeedOperation, { client }, parts);
    if (!(body instanceof Representations)) return undefined;
    const { bytes } = await body.of('identity');
    return terminalFeed.parse(JSON.parse(Buffer.from(bytes).toString('utf8'))).summary;
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
