/** How long it may take: other suites may have the processors meanwhile. */
const patienceMs = 120_000;

/** Waits until it is so. @throws after two minutes, with the name of what it waits for */
export async function until(isSo: () => boolean | Promise<boolean>, what = 'what the test waits for'): Promise<void> {
  for (const from = performance.now(); !(await isSo()); ) {
    if (performance.now() - from > patienceMs) throw new Error(`not within ${patienceMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
