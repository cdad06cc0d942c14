/**
 * The text of a content, and the number under which it was read. Its id stands for its source and its words; the number
 * changes where anything else changes that it is indexed under.
 */
export interface NumberedText {
  readonly no: number;
  readonly text: string;
}

/** Texts by the ids of their contents. */
export interface RecentTexts {
  readonly of: (id: string) => NumberedText | undefined;
  readonly keep: (id: string, text: NumberedText) => void;
}

/** A unit of a text takes two bytes at most, and each text some more beside. */
const [UNIT_BYTES, TEXT_BYTES] = [2, 300];

/** At most so many bytes, about; the text that was not asked for longest goes first. */
export const createRecentTexts = (mostBytes = 32 * 1024 ** 2): RecentTexts => {
  const kept = new Map<string, NumberedText>();
  let size = 0;
  const forget = (id: string): void => {
    const known = kept.get(id);
    if (known !== undefined) size -= bytesOf(known);
    kept.delete(id);
  };
  return {
    of: (id) => {
      const known = kept.get(id);
      if (known === undefined) return undefined;
      kept.delete(id);
      kept.set(id, known);
      return known;
    },
    keep: (id, text) => {
      forget(id);
      kept.set(id, text);
      size += bytesOf(text);
      for (const oldest of kept.keys()) {
        if (size <= mostBytes) break;
        forget(oldest);
      }
    },
  };
};

const bytesOf = ({ text }: NumberedText): number => TEXT_BYTES + UNIT_BYTES * text.length;
