/** Looks something up by its name, and calls `begun` once it is about to look: who comes after that is not answered by it. */
type Ask<T> = (name: string, begun: () => void) => Promise<T>;

/**
 * Asks the database for every request, because another process may have revoked a right a moment ago.
 * Requests that arrive while a lookup still waits for the database share it: they all arrived before it.
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
    // A lookup that fails before it begins is not shared with later requests.
    const forget = () => void (waiting.get(name) === asked && waiting.delete(name));
    asked.then(forget, forget);
    return asked;
  };
}
