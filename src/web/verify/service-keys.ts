/** The verifier keys that the service says are its own, one a line, asked for once. Empty when it gives none. The address is relative, because /verify may be below a path of its own. */
export async function fetchServiceKeys(address = 'v1/ledger/keys'): Promise<string> {
  try {
    const response = await fetch(address);
    if (!response.ok) return '';
    const { data }: { data: readonly { verifier_key: string; retired_after?: number | null }[] } =
      await response.json();
    const lines = data.map(({ verifier_key, retired_after }) =>
      // A service of an earlier version says nothing of it.
      typeof retired_after === 'number' ? `${verifier_key} retired-after=${retired_after}` : verifier_key,
    );
    return lines.join('\n');
  } catch {
    return '';
  }
}
