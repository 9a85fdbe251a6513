/** The verifier keys that the service says are its own, one a line, asked for once. Empty when it gives none. */
export async function fetchServiceKeys(): Promise<string> {
  try {
    const response = await fetch('v1/ledger/keys');
    if (!response.ok) return '';
    const { data }: { data: readonly { verifier_key: string }[] } = await response.json();
    return data.map((key) => key.verifier_key).join('\n');
  } catch {
    return '';
  }
}
