/** How long it may take: other suites may have the processors meanwhile. */
const patienceMs = 120_000;

/** Waits until it is so. @throws after two minutes, with the name of what it waits for */
export async function until(isSo: () => boolean | Promise<boolean>, what?: string): Promise<void> {
  await eventually(() => isSo(), what);
}

/** Waits until `look` gives something. @throws after two minutes, with the name of what it waits for */
export async function eventually<T>(
  look: () => T | undefined | false | Promise<T | undefined | false>,
  what = 'what the test waits for',
): Promise<T> {
  for (const from = performance.now(); performance.now() - from < patienceMs; ) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`not within ${patienceMs} ms: ${what}`);
}
