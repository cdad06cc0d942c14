import { MASK } from './detector.ts';

/** What announces a telephone number, in some languages of Europe, Chinese and Japanese. */
const WORDS = [
  'tel(?:[eé](?:ph|f)\\w*|\\.)?',
  't[eé]l[eé](?:phone)?',
  'phones?',
  'call(?:s|ed|ing)?',
  'ring|rang|dial(?:ed|led)?',
  'text(?:ed)?|sms|whats ?app|signal|viber',
  'fax',
  'mobile?s?|m[oó]vil|mobil\\w*|cell(?:ulare?|phone)?|celular|handy|portable|komórk\\w*|mob',
  'reach(?:ed|able)?|contact|hotline|helpline|voicemail|landline|switchboard|extension',
  'anruf\\w*|ruf\\w*|llam\\w+|appel\\w*|chiam\\w+|ligue|dzwoń|zadzwoń|ring\\w*|tlf|puhelin',
].join('|');
const ANNOUNCED = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${WORDS})(?![\\p{L}_])|电话|手机|電話|携帯`, 'giu');
/** What a number is that stands behind such a word and is none. */
const OTHERWISE =
  /(?<![\p{L}\p{N}_])(?:orders?|invoice|ticket|case|account|customer|isbn|issn|ean|sku|item|article|part|serial|code|id|ids|ref\w*|version|v|pin|zip|plz|build|bytes?|model|row|line|page|pages|people|times|units|usd|eur)(?![\p{L}_])/iu;
/** So many characters may stand between the word and the number. */
const NEAR = 32;
const LONGEST_WORD = 16;

/** Whether a word shortly before, on the same line, says that a telephone number follows. Looks back 48 characters. */
export const isAnnounced = (text: string, at: number): boolean => {
  const start = Math.max(0, at - NEAR - LONGEST_WORD);
  const before = text.slice(start, at);
  let last: RegExpExecArray | null = null;
  for (const word of before.matchAll(ANNOUNCED)) if (start === 0 || word.index > 0) last = word;
  if (last === null) return false;
  const between = before.slice(last.index + last[0].length);
  // What a replacement stands for is not known.
  if (between.length > NEAR || /[\d\n\r]/.test(between) || between.includes(MASK)) return false;
  return !OTHERWISE.test(between);
};
