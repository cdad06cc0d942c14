/** A text that an answer may be taken from, and may cite. */
export type Passage = {
  readonly title: string;
  readonly text: string;
  /** Of the page that it stands on. Absent, or empty: it has none. */
  readonly url?: string;
};
