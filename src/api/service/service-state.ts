/** The parts of the service as they are measured. Each is null where it does not answer in time. */
export interface ServiceState {
  readonly log: {
    readonly leaves: number;
    readonly checkpointAgeSeconds: number | null;
    readonly unanchored: number;
    readonly failing: ReadonlyMap<string, boolean>;
  } | null;
  readonly feeds: { readonly ageSeconds: number; readonly waiting: number } | null;
  /** Null too when nothing is being rebuilt. */
  readonly searchLeft: number | null;
  readonly engines:
    | readonly {
        readonly engine: string;
        readonly isUp: boolean;
        readonly problems: readonly string[];
        readonly lags: ReadonlyMap<string, { readonly entries: number; readonly seconds: number }>;
        readonly unconfirmedErasures?: number;
        readonly memoriesWithoutVectors?: number;
      }[]
    | null;
  readonly versions: { readonly node: string; readonly database: string | null };
}
