interface Described {
  readonly description: string;
}

/** JSON Schema of one value, in the subset that every client takes. */
export type ValueSchema =
  | ({
      readonly type: 'string';
      readonly minLength?: number;
      readonly maxLength?: number;
      readonly format?: 'uuid' | 'uri' | 'date-time';
      readonly enum?: readonly string[];
    } & Described)
  | ({
      readonly type: 'integer';
      readonly minimum: number;
      readonly maximum: number;
      readonly default?: number;
    } & Described)
  | ({ readonly type: 'boolean' } & Described)
  | ({
      readonly type: 'array';
      readonly items: ValueSchema;
      readonly minItems?: number;
      readonly maxItems?: number;
    } & Described)
  | ({ readonly type: 'object'; readonly properties?: Readonly<Record<string, ValueSchema>> } & Described);
