import { join } from 'node:path';
import { packageRoot } from '../../../src/base/package-root.js';
import { temporaryDirectory } from '../service.js';
import { countedWords } from './embeddings.js';
import {
  connected,
  hitCounts,
  type Measured,
  oneByOne,
  oneFact,
  program,
  query,
  structuredSearch,
  type Texts,
} from './texts.js';

/**
 * The MCP server of mem0 with mem0's library behind it instead of mem0's service, which needs an account: `mem0-library.py`
 * puts it there. The library keeps each text as it is, because no model is there that would rewrite it.
 * @param python an interpreter with both packages
 */
export async function mem0Texts(python: string): Promise<Measured> {
  const store = temporaryDirectory();
  const embeddings = await countedWords();
  const env = {
    HOME: store.path,
    MEM0_DIR: store.path,
    MEM0_API_KEY: 'none',
    MEM0_TELEMETRY: 'False',
    EMBEDDINGS: embeddings.url,
    DIMENSIONS: String(embeddings.dimensions),
  };
  const server = join(packageRoot, 'ops/bench/tokens/mem0-library.py');
  try {
    const texts = await connected(
      program(python, [server], env),
      async ({ tools, call, structured }): Promise<Texts> => {
        const write = (text: string) => call('add_memory', { text });
        const found: Record<string, string> = {
          'tools/list': tools,
          'a write of 1': await write(oneFact),
          'a write of 10': await oneByOne(write),
          'a search without hits': await call('search_memories', { query: 'zzqx' }),
          'refusal: argument': await call('search_memories', { query: 'x', limit: 'many' }),
          'refusal: unknown tool': await call('no_such_tool', {}),
        };
        for (const k of hitCounts) {
          const hits = await call('search_memories', { query, limit: k });
          if (hits.split('"memory":').length !== k + 1) throw new Error(`a search for ${k} memories found:\n${hits}`);
          found[`a search with ${k} hits`] = hits;
        }
        found[structuredSearch] = await structured('search_memories', { query, limit: 3 });
        return found;
      },
    );
    return { name: 'mem0', source: 'a hit has the user, the role and the time of its write', texts };
  } finally {
    embeddings.stop();
    store.remove();
  }
}
