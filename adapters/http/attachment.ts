/** RFC 8187, section 3.2.1: what may stand unencoded in an extended value. */
const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * What may not stand in the name of a file: path separators, line breaks, and characters that steer how text is shown.
 * A right-to-left override makes `a<U+202E>gpj.exe` look like a picture (Unicode TR 36, section 2.10; RFC 6266, section
 * 4.3). The joiners (U+200C, U+200D) stay, which Persian, Indic scripts and emoji are written with.
 */
const UNSAFE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}/\\]/gu;

/** Of a name, in UTF-16 units: systems take 255 bytes. */
const LONGEST = 150;
/** What programs know a file by. */
const ENDING = /\.[^.\s]{1,20}$/u;

/** At most so long, its ending kept. */
const shortened = (name: string): string => {
  if (name.length <= LONGEST) return name;
  const ending = ENDING.exec(name)?.[0] ?? '';
  return `${name.slice(0, LONGEST - ending.length)}${ending}`;
};

/**
 * A `Content-Disposition` that makes browsers save and never show (RFC 6266): the name in UTF-8, and an ASCII one for
 * those that read no other.
 */
export const attachment = (name: string): string => {
  const clean = shortened(name.toWellFormed().replaceAll(UNSAFE, '_')).toWellFormed();
  const ascii = clean.replaceAll(/[^\x20-\x7e]|["%]/g, '_');
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encode(clean)}`;
};

const MEDIA_TYPE =
  /^[a-z0-9!#$&^_.+-]{1,60}\/[a-z0-9!#$&^_.+-]{1,100}(?:; ?[a-z0-9-]{1,30}=[a-z0-9_.-]{1,60})*$/i;

/** A stored media type as it may be sent: anything odd is just bytes. */
export const safeMediaType = (stored: string): string =>
  MEDIA_TYPE.test(stored) ? stored : 'application/octet-stream';
