export interface RobotsDirectives {
  readonly noindex: boolean;
  readonly nofollow: boolean;
}

const NO_DIRECTIVES: RobotsDirectives = { noindex: false, nofollow: false };

/** The product token of a User-Agent, in lower case: the name by which robots.txt and robots metas address a robot. */
export const productToken = (userAgent: string): string =>
  /^[^\s/]*/.exec(userAgent)?.[0].toLowerCase() ?? '';

/** The content of a robots meta element: `noindex, nofollow` or `none`, case and other words ignored. */
const parseDirectives = (content: string): RobotsDirectives => {
  const words = content.toLowerCase().split(/[\s,;]+/);
  const none = words.includes('none');
  return { noindex: none || words.includes('noindex'), nofollow: none || words.includes('nofollow') };
};

/**
 * The `X-Robots-Tag` header: directives for every robot, or after `name:` for that robot alone. The fields of a
 * repeated header are joined by commas, so that a name holds until the next name.
 */
export const parseRobotsTag = (header: string | null, robot: string): RobotsDirectives => {
  if (header === null) return NO_DIRECTIVES;
  let applies = true;
  const applying: string[] = [];
  for (const part of header.toLowerCase().split(',')) {
    const named = /^\s*([a-z][a-z0-9_-]*)\s*:(.*)$/.exec(part);
    // `unavailable_after: <date>` and the like are directives with a value, not names.
    const name = named?.[1];
    if (name !== undefined && !/^(?:unavailable_after|max-.*)$/.test(name)) applies = name === robot;
    if (applies) applying.push(named?.[2] ?? part);
  }
  return parseDirectives(applying.join(','));
};
