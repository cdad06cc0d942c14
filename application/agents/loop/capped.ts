/** A result as the model is shown it. */
export interface Capped {
  readonly text: string;
  readonly truncated: boolean;
}

const SAYS_SO = '(truncated: there was more than is shown)';
/** A passage that is cut to less tells nothing. */
const LEAST_TEXT = 200;

/** Whole lines as far as there is room; of a first line that has none, its beginning. A cut result says so. */
export const capped = (text: string, most: number): Capped => {
  if (text.length <= most) return { text, truncated: false };
  const kept: string[] = [];
  let left = most - SAYS_SO.length - 1;
  for (const line of text.split('\n')) {
    if (line.length + 1 > left) {
      if (kept.length === 0) kept.push(shortened(line, left));
      break;
    }
    kept.push(line);
    left -= line.length + 1;
  }
  return { text: [...kept, SAYS_SO].join('\n'), truncated: true };
};

/** A passage stays one: its text is cut, and not its JSON. */
const shortened = (line: string, room: number): string => {
  if (!line.startsWith('{"passage":')) return line.slice(0, room).toWellFormed();
  const fields = JSON.parse(line) as { readonly text: string };
  const least = Math.max(LEAST_TEXT, fields.text.length - (line.length - room) - SAYS_SO.length);
  return JSON.stringify({ ...fields, text: `${fields.text.slice(0, least).toWellFormed()}…` });
};
