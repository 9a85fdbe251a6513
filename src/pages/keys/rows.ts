import { said } from '../components/said.js';
import { table } from '../components/table.js';
import { time } from '../components/time.js';
import { type Html, html } from '../html.js';
import { namesOf, type namespacesOf } from '../namespaces/all.js';
import { mayWords } from './form.js';

interface Key {
  readonly key_id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly namespace_ids: readonly string[];
  readonly created_at: string;
  readonly last_used_at: string | null;
}

interface Around {
  /** The address of the page of a key, without its id. */
  readonly path: string;
  readonly namespaces: Awaited<ReturnType<typeof namespacesOf>>;
  readonly now: number;
  /** The part below the rows. */
  readonly end?: Html | undefined;
}

/** Keys as a table, those of the workspace and those of an agent. */
export function keyRows(all: readonly Key[], { path, namespaces, now, end }: Around): Html {
  return table({
    caption: 'Keys, newest first',
    columns: [
      { name: 'Key', look: 'wide-cell' },
      { name: 'May', look: 'words not-on-phones' },
      { name: 'Made', look: 'number not-on-phones' },
      { name: 'Last used', look: 'number' },
    ],
    rows: all.map(({ key_id, name, scopes, namespace_ids, created_at, last_used_at }) => ({
      cells: [
        html`<a class="whole" href="${path}/${key_id}">${said(name)}</a>`,
        mayWords(scopes, namesOf(namespaces, namespace_ids)),
        time(created_at, now),
        last_used_at === null ? html`<span class="none">never</span>` : time(last_used_at, now),
      ],
    })),
    end,
  });
}
