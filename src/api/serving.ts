/** The facts about an operation that only HTTP needs, besides its fields: caches, limits, heads and pages of other sites. */
export interface Serving {
  /** Whether its requests count in the budget of their workspace only, and not in the limit of the address. */
  readonly ownBudget?: true;
  /** Whether the operation bounds the memory of its bodies. Large bodies of all others wait in one queue. */
  readonly boundsBodies?: true;
  /** How long an answer may be kept, as HTTP says it, unless the answer itself says so. */
  readonly cacheControl?: string;
  /** Whether a client that names the ETag of the answer it has gets 304 when the answer is still the same. */
  readonly revalidates?: true;
  /** Whether refusals may be kept for as long as answers. */
  readonly cachesRefusals?: true;
  /** False where the head of the answer to a GET cannot be asked for alone, because the answer has no end. */
  readonly head?: false;
  /** Whether it is a file for everybody: pages of other sites may read it, and it has a limit of its own for each address. */
  readonly publicFile?: true;
  /** Whether a browser is sent to the page /sign-in when the request is refused before the operation is called, or fails. */
  readonly refusesOnPage?: true;
  /**
   * Whether it is a public feed: it is kept by caches for a minute, refusals too, and otherwise is as a public file.
   */
  readonly publicFeed?: true;
  /** Whether a process serves it with any roles. */
  readonly everyRole?: true;
  /** Whether other methods of its path are refused with 405, and not as an unknown route. */
  readonly closed?: true;
}
