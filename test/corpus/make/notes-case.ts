/** The parts of the metadata of a note that are expected; those that are not named are empty. */
export interface ExpectedNote {
  readonly content: string;
  readonly title: string;
  readonly type?: string;
  readonly tags?: readonly string[];
  readonly observations?: readonly object[];
  readonly relations?: readonly object[];
  /** The members under `imported` besides the origin and the path. */
  readonly imported?: Readonly<Record<string, unknown>>;
  readonly permalink?: string;
  /** The beginning of each sentence about what was assumed. */
  readonly assumed?: readonly string[];
}

/** A note of the corpus: its path in the folder, its bytes, and the memory or the beginning of the reason for which there is none. */
export interface NoteCase {
  readonly path: string;
  readonly bytes: Buffer;
  readonly expected: ExpectedNote | { readonly refused: string };
}

export const noteCase = (path: string, text: string | Buffer, expected: NoteCase['expected']): NoteCase => ({
  path,
  bytes: Buffer.from(text),
  expected,
});

export const fact = (
  category: string | null,
  content: string,
  tags: readonly string[] = [],
  context: string | null = null,
) => ({
  category,
  content,
  tags,
  context,
});

export const link = (target: string, type = 'links_to', context: string | null = null) => ({ type, target, context });
