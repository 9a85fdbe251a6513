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
  // A tool is compared with one text for each length, and not with each prefix.
  const lengths = [...new Set([...prefixes].map((prefix) => prefix.length))];
  const isCovered = (tool: string) => exact.has(tool) || lengths.some((length) => prefixes.has(tool.slice(0, length)));
  const tools = new Set(calls.map(({ tool }) => tool));
  return [...tools].filter((tool) => !isCovered(tool));
}
