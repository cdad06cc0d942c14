/** One field of a form. */
export interface FieldWords {
  readonly label: string;
  /** What it means and what it takes; shown beside it. */
  readonly rule?: string;
  /** What to do where the value does not fit; the rule where it says enough. */
  readonly problem?: string;
  /** Of a field with a few values. */
  readonly choices?: Readonly<Record<string, string>>;
}

/** The fields of one form, by their names in the API. */
export type FormWords = Readonly<Record<string, FieldWords>>;

/** Words for each field of a request that a form has: one that is new in the API does not compile without. */
export type WordsOf<Body, Elsewhere extends keyof Body = never> = Readonly<
  Record<Exclude<keyof Body, Elsewhere>, FieldWords>
>;

export const NAME: FieldWords = { label: 'Name', rule: 'You find it again by this name' };

export const POLICY_NAME = 'Type a name of lower-case letters, figures, - and _, which begins with a letter';
