import { groupedBy, inGroups } from '../base/groups.js';
import { deleteLostMemories } from '../commands/delete-lost.js';
import { erasePrivate } from '../commands/erase-private.js';
import { operatorOf } from '../commands/open-workspace.js';
import { deleteLostWebhook } from '../commands/webhooks.js';
import { type LostText, lostSentence } from '../ledger/check/pending.js';
import type { MaintenanceCommand, Operation } from './command.js';
import { lostTexts } from './fsck.js';

/** The most that one run deletes: they are in memory at the same time. */
const mostTexts = 100_000;
/** The most that are shown by name. */
const shownTexts = 100;
/** Memories that one append deletes. */
const batchMemories = 100;

/**
 * Without an argument shows the lost contents that can be deleted, and with `delete` deletes them, each by an entry of its own as
 * its owner would. Those of people and keys are not touched. It can be interrupted and repeated.
 */
export function deletingLost(operation: Operation): MaintenanceCommand {
  return async ([what], onProgress) => {
    const texts = await lostTexts(operation.database, mostTexts, onProgress);
    const [can, cannot] = [texts.filter(isDeletable), texts.filter((one) => !isDeletable(one))];
    if (can.length === 0) return { ok: true, text: ['No lost content can be deleted.', ...others(cannot)].join('\n') };
    if (what !== 'delete')
      return { ok: false, text: [...shown(can), counted('To be deleted', can), ...others(cannot)].join('\n') };
    await deleteAll(operation, can, (done) => onProgress('delete', done, can.length));
    const more = texts.length < mostTexts ? [] : ['There may be more: repeat the command.'];
    return { ok: true, text: [counted('Deleted', can), ...others(cannot), ...more].join('\n') };
  };
}

const privateKinds = ['task', 'decision', 'handoff'];
const isDeletable = ({ kind }: LostText): boolean =>
  ['memory.write', 'webhook.created', ...privateKinds].includes(kind);

async function deleteAll({ run, world }: Operation, texts: readonly LostText[], onDone: (count: number) => void) {
  let done = 0;
  for (const [chain, ofChain] of groupedBy(texts, (one) => one.chain)) {
    const ids = ofChain.flatMap(({ kind, memory_id }) => (kind === 'memory.write' && memory_id ? [memory_id] : []));
    for (const batch of inGroups(ids, () => 1, { size: batchMemories })) {
      await run(chain, deleteLostMemories(world, batch));
      done += batch.length;
      onDone(done);
    }
    for (const text of ofChain.filter(({ kind }) => kind !== 'memory.write')) {
      await deleteOther({ run, world }, text);
      done += 1;
      onDone(done);
    }
  }
}

async function deleteOther({ run, world }: Pick<Operation, 'run' | 'world'>, text: LostText): Promise<void> {
  const { chain, kind, receipt_id: receiptId } = text;
  const body: { webhook_id?: string; agent_id?: string; task?: { receipt_id: string } } = JSON.parse(text.body);
  if (kind === 'webhook.created') {
    await run(chain, deleteLostWebhook(world, { id: body.webhook_id ?? '', agentId: body.agent_id ?? '', receiptId }));
  } else {
    const clientId = kind === 'task' ? (body.task?.receipt_id ?? null) : null;
    await run(chain, erasePrivate(world, operatorOf(chain), { receiptId, clientId }));
  }
}

function shown(texts: readonly LostText[]): string[] {
  const more = texts.length - shownTexts;
  return [...texts.slice(0, shownTexts).map(lostSentence), ...(more > 0 ? [`${more} more are not named here.`] : [])];
}

function counted(what: string, texts: readonly LostText[]): string {
  const of = (kinds: readonly string[]) => texts.filter(({ kind }) => kinds.includes(kind)).length;
  return `${what}: memories ${of(['memory.write'])}, private texts of receipts ${of(privateKinds)}, webhooks ${of(['webhook.created'])}.`;
}

const others = (texts: readonly LostText[]): string[] =>
  texts.length === 0
    ? []
    : [
        `Lost texts of people, keys and the like: ${texts.length}. They cannot be deleted, and fsck continues to name them.`,
      ];
