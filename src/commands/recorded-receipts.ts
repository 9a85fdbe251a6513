import type { Command } from './command.js';
import type { Run } from './run.js';

/** Runs commands, and remembers the receipt of the last entry that they have recorded. */
interface RecordedReceipts {
  readonly run: Run;
  /** Null as long as nothing was recorded. */
  last(): string | null;
}

/** For one call, of which a caller may learn the receipt, also where its answer does not show it. */
export function recordedReceipts(run: Run): RecordedReceipts {
  let last: string | null = null;
  return {
    last: () => last,
    async run(workspaceId, command) {
      let receipt: string | undefined;
      const answer = await run(
        workspaceId,
        noting(command, (id) => {
          receipt = id;
        }),
      );
      last = receipt ?? last;
      return answer;
    },
  };
}

/** The same command. It may be decided several times, and notes each time the receipt that it would leave last. */
function noting<A>({ actor, reads, ...command }: Command<A>, note: (receipt: string | undefined) => void): Command<A> {
  return {
    actor,
    reads,
    decide(...given) {
      const decision = command.decide(...given);
      if ('refusal' in decision) return decision;
      return {
        ...decision,
        answer(receipts) {
          note(receipts.at(-1)?.entry.receipt_id);
          return decision.answer(receipts);
        },
      };
    },
  };
}
