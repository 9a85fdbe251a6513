import { createInterface } from 'node:readline/promises';

/** Asks a person a question. `no terminal` when no person can answer. */
export type Confirm = (question: string) => Promise<'yes' | 'no' | 'no terminal'>;

export const confirmOnTerminal: Confirm = async (question) => {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return 'no terminal';
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const answer = await lines.question(`${question} [y/N] `);
    return /^y(es)?$/i.test(answer.trim()) ? 'yes' : 'no';
  } finally {
    lines.close();
  }
};
