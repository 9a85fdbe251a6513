import { createHash } from 'node:crypto';

/** The handle of an agent that has only a name: what remains of the name, or a hash of it when too little remains. */
export function handleOf(agentName: string): string {
  const plain = agentName
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 32);
  if (plain.length >= 2) return `@${plain}`;
  return `@agent-${createHash('sha256').update(agentName, 'utf8').digest('hex').slice(0, 8)}`;
}
