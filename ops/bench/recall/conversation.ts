/** A conversation with questions whose answers are in known turns. */
export interface Conversation {
  readonly conversation: string;
  /** In the order of the conversation. */
  readonly turns: readonly Turn[];
  readonly questions: readonly Question[];
}

export interface Turn {
  /** Unique within the conversation. */
  readonly id: string;
  readonly session: string;
  readonly speaker: string;
  readonly text: string;
  /** When its session was, by ISO 8601. */
  readonly time?: string | undefined;
}

export interface Question {
  readonly question: string;
  /** The ids of the turns that have the answer. Those that the conversation does not have are left out. */
  readonly evidence: readonly string[];
  /** The kind of question, as the data names it. */
  readonly category?: string | undefined;
}
