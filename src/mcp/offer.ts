import { instructionsFor } from './instructions.js';
import { rememberThis } from './prompts/remember-this.js';
import { withMemory } from './prompts/with-memory.js';
import type { Registry } from './registry.js';
import { complete } from './resources/completions.js';
import { resources } from './resources/resources.js';
import type { Tool } from './tool.js';
import { connectorTools } from './tools/connector.js';
import { forget } from './tools/forget.js';
import { getContext } from './tools/get-context.js';
import { listSubscriptions } from './tools/list-subscriptions.js';
import { recall } from './tools/recall.js';
import { recordActionBatch } from './tools/record-action-batch.js';
import { remember } from './tools/remember.js';
import { subscribe } from './tools/subscribe.js';
import { unsubscribe } from './tools/unsubscribe.js';

/** The tools in the order in which they are listed. */
export const tools: readonly Tool[] = [
  remember,
  recall,
  forget,
  getContext,
  listSubscriptions,
  recordActionBatch,
  subscribe,
  unsubscribe,
];

/** The settings that decide what the server offers. */
export interface OfferSettings {
  readonly baseUrl: string;
  /** See the setting MCP_SEARCH_FETCH. */
  readonly searchFetch: boolean;
  /** See the setting MCP_ICONS. */
  readonly mcpIcons: boolean;
}

/** All that the server offers to clients. */
export function createRegistry({ baseUrl, searchFetch, mcpIcons }: OfferSettings): Registry {
  return {
    instructions: instructionsFor,
    websiteUrl: baseUrl,
    icons: !mcpIcons
      ? []
      : [
          {
            src: `data:image/svg+xml;base64,${Buffer.from(mark).toString('base64')}`,
            mimeType: 'image/svg+xml',
            sizes: ['any'],
          },
        ],
    tools: searchFetch ? [...tools, ...connectorTools(baseUrl)] : tools,
    resources,
    prompts: [withMemory, rememberThis],
    complete,
  };
}

/** The mark of the project, as its pages have it. */
const mark =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#274c66"/>' +
  '<path d="M5 2v12" stroke="#fff" stroke-dasharray="1.5 1.5"/>' +
  '<path d="m7.5 8.2 1.8 1.9 3.4-4" fill="none" stroke="#fff" stroke-width="1.6"/></svg>';
