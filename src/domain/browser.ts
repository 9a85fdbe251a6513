/** Browsers by what only they write into User-Agent: most of them name others besides themselves. The first that fits counts. */
const families: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\b(OPR|Opera)\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|Chromium|CriOS)\//],
  ['Safari', /\bSafari\//],
];

const systems: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['iOS', /\b(iPhone|iPad|iPod)\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\b(Macintosh|Mac OS X)\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\b(Linux|X11)\b/],
];

/** Longer ones are written by no browser. */
const longest = 512;

/**
 * The family of a browser and its system, such as `Firefox on Linux`, by which a person recognises a session. Versions and models are
 * left out, so that it distinguishes no person from others. @returns null for a client that is none of these browsers
 */
export function browserOf(userAgent: string | undefined): string | null {
  if (userAgent === undefined || userAgent.length > longest) return null;
  const family = nameIn(families, userAgent);
  if (family === null) return null;
  const system = nameIn(systems, userAgent);
  return system === null ? family : `${family} on ${system}`;
}

const nameIn = (table: typeof families, text: string): string | null =>
  table.find(([, pattern]) => pattern.test(text))?.[0] ?? null;
