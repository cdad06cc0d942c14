/** A text that an answer may be taken from, and may cite. */
export type Passage = {
  readonly title: string;
  readonly text: string;
};
