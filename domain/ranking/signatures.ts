/** What says of which sort a definition is, in brackets before its name: `[det]maybe(+P)`, `[ISO] nl`. */
const SORT = /^\[[^\]]{1,40}\]\s*(?=[\p{L}_:])/u;
const [OPENS, CLOSES] = ['([{', ')]}'];
const SPACE = /\s/;

/** The term of a definition without what says of which sort it is. */
export const withoutSort = (term: string): string => term.replace(SORT, '');

/**
 * What the term of a definition is called with the number of its arguments, as some languages name what they call:
 * `append/3` of `append(?List1, ?List2, ?List1AndList2)`, `nl/0` of `nl`. Null where it is no name alone.
 */
export const nameWithArity = (term: string): string | null => {
  const bare = term.trim();
  const at = bare.indexOf('(');
  const before = (at < 0 ? bare : bare.slice(0, at)).trim();
  const name = at < 0 ? before : before.slice(before.lastIndexOf(' ') + 1);
  return name === '' || SPACE.test(name) ? null : `${name}/${at < 0 ? 0 : argumentsIn(bare.slice(at + 1))}`;
};

/** Of a list of arguments behind its first bracket; commas within further brackets part none. */
const argumentsIn = (list: string): number => {
  let depth = 0;
  let [commas, isEmpty] = [0, true];
  for (const one of list) {
    if (depth === 0 && one === ')') break;
    if (OPENS.includes(one)) depth += 1;
    else if (CLOSES.includes(one)) depth = Math.max(0, depth - 1);
    else if (depth === 0 && one === ',') commas += 1;
    if (!SPACE.test(one)) isEmpty = false;
  }
  return isEmpty ? 0 : commas + 1;
};
