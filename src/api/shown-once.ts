import type { Command } from '../commands/command.js';
import { answering, once, type RepeatedAnswer, type RequestKey } from '../commands/once.js';
import type { Run } from '../commands/run.js';

interface ShownOnce<Body> {
  readonly status: 201;
  readonly body: Body;
}

/**
 * Runs a command that makes a secret, which only its first answer shows. The answer that is stored for a repetition is on
 * disk, where no secret may be: its secret is null.
 * @param texts the members of the body that show texts, which are destroyed with what was made
 */
export async function shownOnce<Created extends object, Body>(
  run: Run,
  { workspaceId, request, secret }: { workspaceId: string; request: RequestKey; secret: string },
  command: Command<Created>,
  shape: (created: Created, secret: string | null) => Body,
  texts: readonly string[] = [],
): Promise<ShownOnce<Body> | RepeatedAnswer> {
  let made: Created | undefined;
  const stored = answering(command, (created): ShownOnce<Body> => {
    made = created;
    return { status: 201, body: shape(created, null) };
  });
  const shows = texts.length === 0 ? undefined : { receipts: (own: readonly string[]) => own, members: texts };
  const answer = await run(workspaceId, once(stored, request, shows));
  return made ? { status: 201, body: shape(made, secret) } : answer;
}
