import { limits } from '../../../contracts/limits.js';

/** The longest `prefix.` of an item of a declared scope, in UTF-16 code units. */
const longestPrefix = 2 * limits.receiptScopeCharacters;

/**
 * The tools that no item of the declared scope covers, in the order of their first call, each once. An item covers every
 * tool (`*`), the tools whose names begin with a prefix (`prefix.*`), or the tool of exactly this name.
 * @returns null when no scope was declared
 */
export function scopeViolations(
  calls: readonly { readonly tool: string }[],
  scope: readonly string[] | undefined,
): readonly string[] | null {
  if (scope === undefined) return null;
  if (scope.includes('*')) return [];
  const exact = new Set(scope);
  const prefixes = new Set(scope.filter((item) => item.endsWith('.*')).map((item) => item.slice(0, -1)));
  const tools = new Set(calls.map(({ tool }) => tool));
  return [...tools].filter((tool) => !exact.has(tool) && !hasPrefix(tool, prefixes));
}

function hasPrefix(tool: string, prefixes: ReadonlySet<string>): boolean {
  if (prefixes.size === 0) return false;
  for (let dot = tool.indexOf('.'); dot !== -1 && dot < longestPrefix; dot = tool.indexOf('.', dot + 1)) {
    if (prefixes.has(tool.slice(0, dot + 1))) return true;
  }
  return false;
}
