import type { Page } from './page.js';

/** A page with the parts of its address that vary. */
export interface PageAt {
  readonly page: Page;
  readonly params: Readonly<Record<string, string>>;
}

/** The page at a path, as the router finds it: a fixed part of an address comes before one that varies. */
export function pageAt(pages: readonly Page[], path: string): PageAt | null {
  const fixedParts = ({ page }: PageAt) => page.path.split('/').filter((part) => !part.startsWith(':')).length;
  const found = pages.flatMap((page) => {
    const params = paramsOf(page.path, path);
    return params === null ? [] : [{ page, params }];
  });
  return found.sort((a, b) => fixedParts(b) - fixedParts(a))[0] ?? null;
}

function paramsOf(pattern: string, path: string): Readonly<Record<string, string>> | null {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  if (wanted.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [at, part] of wanted.entries()) {
    const value = given[at] ?? '';
    if (part.startsWith(':')) params[part.slice(1)] = decoded(value);
    else if (part !== value) return null;
  }
  return params;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
