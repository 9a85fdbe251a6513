import type * as OidcProvider from 'oidc-provider';

export type Library = typeof OidcProvider;

let loading: Promise<Library> | undefined;

/** Loads the library with the first request that needs it: it takes 30 MB of memory, which a service without MCP clients saves. */
export function library(): Promise<Library> {
  loading ??= withoutWarnings(() => import('oidc-provider'));
  return loading;
}

/** While it is loaded, the library warns about versions of Node on which our tests run it. */
async function withoutWarnings<T>(load: () => Promise<T>): Promise<T> {
  const { warn } = console;
  console.warn = (...words: unknown[]) => {
    if (!String(words[0]).includes('oidc-provider')) warn(...words);
  };
  try {
    return await load();
  } finally {
    console.warn = warn;
  }
}
