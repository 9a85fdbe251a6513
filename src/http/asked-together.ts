/** Looks something up by its name, and calls `begun` once it is about to look: who comes after that is not answered by it. */
type Ask<T> = (name: string, begun: () => void) => Promise<T>;

/**
 * Looks up anew for every request, because what was true a moment ago may have been taken since, by another process too.
 * Requests that come while a lookup still waits for its turn at the database share it: they all came before it.
 */
export function askingTogether<T>(ask: Ask<T>): (name: string) => Promise<T> {
  const waiting = new Map<string, Promise<T>>();
  return (name) => {
    const joined = waiting.get(name);
    if (joined) return joined;
    let begun = false;
    const asked = ask(name, () => {
      begun = true;
      waiting.delete(name);
    });
    if (begun) return asked;
    waiting.set(name, asked);
    // One that fails before its turn keeps nobody who comes later.
    const forget = () => void (waiting.get(name) === asked && waiting.delete(name));
    asked.then(forget, forget);
    return asked;
  };
}
