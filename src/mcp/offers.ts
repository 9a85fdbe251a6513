import { Refusal } from '../../contracts/errors.js';
import type { Registry } from './registry.js';
import { tools } from './tools.js';

/** All that the service offers over MCP. @param baseUrl its public address */
export function createRegistry(baseUrl: string): Registry {
  return {
    instructions: 'Counterfoil stores what agents know and decide, and gives a receipt for each write and each search.',
    websiteUrl: baseUrl,
    icons: [],
    tools,
    resources: {
      templates: [],
      list: async () => ({ resources: [] }),
      read: async (uri) => {
        throw new Refusal('memory_not_found', undefined, { path: 'uri', uri });
      },
    },
    prompts: [],
    complete: async () => ({ values: [] }),
  };
}
