/** The kind of answer that a question asks for. */
export type Kind = 'person' | 'time' | 'place' | 'number' | 'price' | 'default' | 'difference' | 'other';

/** By its words, in English; `other` where they do not say. */
export function kindOf(question: string): Kind {
  const text = question.toLowerCase();
  if (/^\W*(?:and |but )?who(?:se|m)?\b/.test(text)) return 'person';
  if (/^\W*(?:and |but )?when\b|\b(?:what|which) (?:date|day|year)\b/.test(text)) return 'time';
  if (WHERE.test(text)) return 'place';
  if (PRICE_ASKED.test(text)) return 'price';
  if (/\bdefaults?\b/.test(text)) return 'default';
  if (/\bdiffer(?:ences?|s|ent from)?\b/.test(text)) return 'difference';
  if (/\bhow (?:many|much|long|large|big|small|tall|far|fast|high|old|often|deep|heavy|wide)\b/.test(text))
    return 'number';
  return /\b(?:maximum|minimum|range of|size of|(?:what|which) port|temperature|population)\b/.test(text)
    ? 'number'
    : 'other';
}

/** What something costs. */
const PRICE_ASKED =
  /^\W*(?:and |but )?(?:how much|what) (?:do|does|did|is|are|will|would)\b.*\bcosts?\b|\bprice\b/;
/** Money, or none; but a shell's `$1` is no dollar. */
const PRICE =
  /\$\s?(?:\d{2,}|\d+[.,]\d)|[€£¥]\s?\d|\d\s?(?:[€£¥]|(?:dollars?|euros?|pounds?|cents?|yen|usd|eur|gbp)\b)|\b(?:free of charge|for free|is free|are free|gratis|no charge|costs? nothing|at no cost)\b/i;

/** Where something lies. */
const WHERE =
  /^\W*(?:and |but )?where (?:is|are|was|were)\b|^\W*(?:in|to|from|on) (?:which|what) (?:file|directory|folder|path)\b|\bwhich (?:file|directory|folder)\b/;
/** A path, the name of a file, or what holds files: other places are told in any words. */
const PLACE =
  /(?<![^\s("'“`])(?:[~.]|\$\w+|\w+\/\w+)?\/[\w.~$-]|\b(?:director(?:y|ies)|folders?|files?)\b|\w\.(?:conf|txt|log|xml|json|ya?ml|ini|cfg|rc)\b/i;
const NUMBER =
  /\p{N}|\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|twelve|dozen|hundred|thousand|million|billion|once|twice|none|unlimited|no limit|half|about an?)\b/iu;
const TIME =
  /\p{N}|\b(?:when|while|until|before|after|during|once|whenever|always|never|daily|weekly|monthly|yearly|as soon as|if|(?:at|by|in the) (?:night|day|noon|dawn|morning|evening|end|start)|every|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july|august|september|october|november|december)\b/iu;
/** A name of several words, or whoever does something. */
const PERSON =
  /\p{Lu}\p{Ll}+(?: \p{Lu}\.)? \p{Lu}\p{Ll}+|\b(?:by|owners?|users?|superusers?|administrators?|authors?|members?|people|persons?|team|teams|maintainers?|developers?|manager|managers|director|anyone|everyone|nobody|roles?|customers?|employees?)\b/u;

const DIFFERENCE =
  /\b(?:differ(?:ences?|s|ent|ently)?|while|whereas|unlike|contrast|contrary|instead|rather|but|only|both|same)\b/i;

/**
 * Whether a text holds the kind of answer that is asked for. Other kinds, and other scripts, are not judged. Of places it
 * knows those of files alone.
 */
export function holdsKind(text: string, kind: Kind): boolean {
  switch (kind) {
    case 'person':
      return PERSON.test(text);
    case 'time':
      return TIME.test(text);
    case 'place':
      return PLACE.test(text);
    case 'number':
      return NUMBER.test(text);
    case 'price':
      return PRICE.test(text);
    case 'default':
      return /(?<!non-)\bdefault/i.test(text);
    case 'difference':
      return DIFFERENCE.test(text);
    case 'other':
      return true;
  }
}
