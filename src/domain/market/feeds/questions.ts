/** Filters of the directory in `discovery`. A row must match all that are given. */
export interface DirectoryFilters {
  readonly q?: string;
  readonly sector?: string;
  readonly capability?: string;
  readonly verified?: boolean;
}

/** Filters of the cases in `standards/disputes`. Each must be equal. */
export interface DisputeFilters {
  readonly claim_type?: string;
  readonly tier?: string;
  readonly ruling?: string;
  readonly respondent?: string;
}

/** A figure that alerts and widgets ask for. */
export interface FigureTarget {
  readonly scope: 'ticker' | 'index' | 'agent' | 'vendor';
  /** A symbol, the id of an index, an agent, or the name of a vendor. */
  readonly target: string;
  readonly metric: string;
}
