import { z } from 'zod';
import { refuseUnknown } from '../../../contracts/input.js';
import { compositeQuery, tickerQuery } from '../../../contracts/widgets.js';
import type { NewestFeeds } from '../../domain/market/feeds/served.js';
import { type Composite, compositeWidget } from '../../domain/market/widgets/composite.js';
import { type Quote, tickerWidget } from '../../domain/market/widgets/ticker.js';
import { plainNumber } from '../../domain/plain-number.js';
import { type Operation, operation } from '../operation.js';
import { clientOf } from '../rate-limits.js';
import type { ForService } from '../services.js';

/** Images of public figures for pages of other sites. */

const image = {
  contentType: 'image/svg+xml; charset=utf-8',
  description: 'An SVG image that refers to nothing outside.',
};

/** The image may be shown by pages of all sites. Opened alone, it runs and loads nothing. */
const headers = {
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
};

const shared = {
  method: 'GET',
  access: 'anybody',
  serving: {
    publicFile: true,
    revalidates: true,
    cachesRefusals: true,
    cacheControl: 'public, max-age=60, s-maxage=60',
  },
  answers: { 200: image },
} as const;

const wrongParameters = ['invalid_request', 'invalid_theme', 'invalid_dimension'] as const;

export const compositeWidgetOperation = operation({
  ...shared,
  path: '/v1/embed/composite.svg',
  summary: 'The composite index as an image: its value, its change of the day and its last 30 days',
  query: compositeQuery,
  refusals: [...wrongParameters],
  documentation: {
    id: 'compositeWidget',
    query: { theme: 'light' },
    answers: {
      200: { body: compositeWidget(null, { theme: 'light', width: 320, height: 100 }) },
    },
  },
  async handle({ query: { theme, w, h }, queryText }, { service: { feeds } }) {
    refuseUnknown(compositeQuery, new URLSearchParams(queryText).keys(), 'invalid_request', 'parameter');
    const composite = feeds.newest === null ? null : compositeOf(feeds.newest);
    const text = compositeWidget(composite, { theme, width: w, height: h });
    return { status: 200, body: Buffer.from(text), headers, compressible: 'also short' };
  },
});

export const tickerWidgetOperation = operation({
  ...shared,
  path: '/v1/embed/ticker.svg',
  summary: 'A ticker as an image: its price, its change and its tasks of 24 hours',
  query: tickerQuery,
  refusals: [...wrongParameters, 'invalid_symbol'],
  documentation: {
    id: 'tickerWidget',
    description: 'The ticker of a capability without a task in 30 days says so.',
    query: { symbol: 'CODE.REVIEW' },
    answers: {
      200: { body: tickerWidget('CODE.REVIEW', null, { theme: 'dark', width: 320, height: 100 }) },
    },
  },
  async handle({ client, query: { symbol, theme, w, h }, queryText }, { service: { feeds } }) {
    refuseUnknown(tickerQuery, new URLSearchParams(queryText).keys(), 'invalid_request', 'parameter');
    const quote = feeds.newest === null ? null : await quoteOf(symbol, feeds, clientOf(client.address));
    const text = tickerWidget(symbol, quote, { theme, width: w, height: h });
    return { status: 200, body: Buffer.from(text), headers, compressible: 'also short' };
  },
});

/** The members of an index that the widget shows. Digits are kept as they are printed. */
const indexRow = z.object({
  id: z.string(),
  value: z.number().nullable(),
  change_pct: z.number().nullable(),
  history: z.array(z.object({ day: z.string(), value: z.number() })),
});

/** @returns null while the index has no value */
function compositeOf({ asOf, indices }: NewestFeeds): Composite | null {
  const rows: unknown = JSON.parse(indices);
  const row = z
    .array(indexRow)
    .parse(rows)
    .find(({ id }) => id === 'CFX');
  if (row === undefined || row.value === null) return null;
  const { value, change_pct: change, history } = row;
  return {
    asOf,
    value: plainNumber(value),
    change: change === null ? null : plainNumber(change),
    history: history.map((one) => ({ day: one.day, value: plainNumber(one.value) })),
  };
}

const metrics = ['price_usd', 'change_pct', 'volume_24h'] as const;

/** @returns null without a task in 30 days */
async function quoteOf(symbol: string, feeds: ForService['feeds'], owner: string): Promise<Quote | null> {
  const targets = metrics.map((metric) => ({ scope: 'ticker', target: symbol, metric }) as const);
  const { t, values } = await feeds.figures(owner, targets);
  const [price = null, change = null, tasks = null] = values;
  return tasks === null ? null : { asOf: new Date(t).toISOString(), price, change, tasks };
}

export const widgetOperations: readonly Operation[] = [compositeWidgetOperation, tickerWidgetOperation];
