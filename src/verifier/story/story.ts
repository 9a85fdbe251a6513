import type { Disclosed } from '../bundle.js';
import type { Entry } from '../entry.js';
import { receiptRows } from '../receipt-rows.js';
import type { Claim, Fact, Report, State, Story } from '../report.js';
import { plain, type Row } from '../rows.js';
import { type ActorFields, actorRows, nameOf } from './actor.js';
import { bodyRows } from './body.js';
import { meanings } from './kinds.js';

type Receipt = NonNullable<Report['receipt']>;

/**
 * Shows no more than was checked: a text is shown only when the claim `content` is verified, and a time is that of the entry
 * unless a block shows it.
 */
export function storyOf(
  entry: Entry,
  receipt: Omit<Receipt, 'story'>,
  disclosed: Disclosed | null,
  claims: readonly Claim[],
): Story {
  const { kind } = receipt;
  const meaning = Object.hasOwn(meanings, kind) ? meanings[kind] : undefined;
  const did = meaning?.did ?? `made an entry of the kind ${plain(kind)}`;
  const who = nameOf(receipt.actor);
  const about = (name: Claim['name'], rows: readonly Row[]): Fact[] => {
    const state = claims.find((claim) => claim.name === name)?.state ?? 'absent';
    return rows.map((row) => ({ name: row.name, values: row.values, claim: name, state }));
  };
  const special = receiptRows(receipt);
  const own = special === null ? [] : special.filter(({ ofContent }) => ofContent !== true);
  return {
    sentence: `The entry says: ${who} ${did}.`,
    facts: [
      ...about('entry', whoAndWhen(receipt, who, did, receipt.actor)),
      ...about('entry', special === null || special.length > 0 ? own : bodyRows(entry.body, texts)),
      ...about('content', textRows(entry, special, disclosed, claims)),
      ...about('inclusion', [placeRow(receipt, claims)]),
      ...about('checkpoint', logRows(claims)),
      ...timeClaims.flatMap((name) => about(name, blockRows(name, claims))),
    ],
  };
}

const texts = ['content', 'metadata', 'source', 'query'] as const;
const timeClaims = ['opentimestamps', 'ethereum'] as const;

function whoAndWhen({ recorded_at }: Omit<Receipt, 'story'>, who: string, did: string, actor: ActorFields): Row[] {
  return [
    { name: 'Who', values: [who] },
    ...actorRows(actor),
    { name: 'What', values: [did] },
    { name: 'When', values: [`${plain(recorded_at)}, according to the entry`] },
  ];
}

/** @param special the rows of kinds that have a form of their own, of which one shows the text */
function textRows(
  { body }: Entry,
  special: readonly Row[] | null,
  disclosed: Disclosed | null,
  claims: readonly Claim[],
): Row[] {
  if (special !== null && special.length > 0) return special.filter(({ ofContent }) => ofContent === true);
  const content = claims.find(({ name }) => name === 'content')?.state;
  return texts.flatMap((name) => {
    if (typeof body[`${name}_commitment`] !== 'string') return [];
    const text = disclosed?.[name] ?? null;
    return {
      name: name.charAt(0).toUpperCase() + name.slice(1),
      values: [text === null && name === 'query' ? noQuery : shownText(text, content)],
    };
  });
}

const noQuery =
  'not in this bundle: the service stores no queries, and only the one who has searched can have it added';
const longText = 2000;

function shownText(text: string | null, content: State | undefined): string {
  if (text === null) return 'not in this bundle: it was deleted, or is not for every reader';
  if (content !== 'verified') return 'not shown, because the entry does not commit to what the bundle has';
  return text === '' ? 'empty' : plain(text, longText);
}

function placeRow({ seq, workspace_id }: Omit<Receipt, 'story'>, claims: readonly Claim[]): Row {
  const inclusion = claims.find(({ name }) => name === 'inclusion');
  const of = inclusion?.state === 'verified' ? ` of ${inclusion.details.workspace_size}` : '';
  return { name: 'Place', values: [`entry ${seq}${of} in the chain of workspace ${plain(workspace_id)}`] };
}

function logRows(claims: readonly Claim[]): Row[] {
  const details = claims.find(({ name }) => name === 'checkpoint')?.details ?? {};
  if (details.origin === undefined) return [];
  return [{ name: 'Log', values: [`${plain(String(details.origin))}, a checkpoint of ${details.size} leaves`] }];
}

/** The time that a block shows, which is later than that of the entry. */
function blockRows(name: (typeof timeClaims)[number], claims: readonly Claim[]): Row[] {
  const claim = claims.find((one) => one.name === name);
  if (claim?.state !== 'verified') return [];
  const { block_height, block_number, block_time } = claim.details;
  const block = name === 'opentimestamps' ? `block ${block_height} of Bitcoin` : `block ${block_number} of Ethereum`;
  return [{ name: 'Existed before', values: [`${block} was made, at about ${block_time}`] }];
}
