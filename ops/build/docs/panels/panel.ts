interface Series {
  /** PromQL. */
  readonly query: string;
  /** The name in the legend, with labels as `{{label}}`. */
  readonly legend: string;
}

export interface Panel {
  readonly title: string;
  readonly description: string;
  /** A unit of Grafana: `s`, `reqps`, `ops`, `bytes`, `short`. */
  readonly unit: string;
  readonly series: readonly Series[];
}

export interface Row {
  readonly title: string;
  readonly panels: readonly Panel[];
}
