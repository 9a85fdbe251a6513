/** Filters of the directory in `discovery`. A row must match all that are given. */
export interface DirectoryFilters {
  readonly q?: string | undefined;
  readonly sector?: string | undefined;
  readonly capability?: string | undefined;
  readonly verified?: boolean | undefined;
}

/** Filters of the cases in `standards/disputes`. Each must be equal. */
export interface DisputeFilters {
  readonly claim_type?: string | undefined;
  readonly tier?: string | undefined;
  readonly ruling?: string | undefined;
  readonly respondent?: string | undefined;
}

/** A figure that alerts and widgets ask for. */
export interface FigureTarget {
  readonly scope: 'ticker' | 'index' | 'agent' | 'vendor';
  /** A symbol, the id of an index, an agent, or the name of a vendor. */
  readonly target: string;
  readonly metric: string;
}
