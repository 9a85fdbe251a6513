/** Uses of one minute that are remembered at most: those of more credentials are noted more often. */
const most = 10_000;

/**
 * Notes uses of credentials, each at most once a minute, and never makes a call wait for it. A use that cannot be written
 * down is lost, and the next one after a minute is written.
 */
export function createNotedUses(now: () => Date, write: (id: string, at: Date) => Promise<void>): (id: string) => void {
  let minute = 0;
  const noted = new Set<string>();
  return (id) => {
    const at = now();
    const current = Math.floor(at.getTime() / 60_000);
    if (current !== minute || noted.size >= most) noted.clear();
    minute = current;
    if (noted.has(id)) return;
    noted.add(id);
    write(id, at).catch(() => undefined);
  };
}
