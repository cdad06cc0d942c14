import { type Asked, ASKING } from './asked.ts';
import type { Passage } from './passage.ts';
import type { ReadText } from './read-text.ts';
import type { Unit } from './units.ts';

/** A piece of a passage that may be quoted, read with a question in mind. */
export type Candidate = Unit & {
  readonly passage: number;
  /** Of the text that it stands in. */
  readonly terms: ReadText['terms'];
  readonly place: number;
  /** How often it has each term of the question that it has. */
  readonly counts: ReadonlyMap<string, number>;
  /** All its terms. */
  readonly words: readonly string[];
  /** Terms of the question in what it stands under. */
  readonly under: ReadonlySet<string>;
  readonly defines: boolean;
  /** Whether it stands under a heading such as "Description", which says what its page is about. */
  readonly isOverview: boolean;
  /** Whether its page is called what the question is about. */
  readonly isTitled: boolean;
  /** Whether its page says what terms mean. */
  readonly isGlossary: boolean;
};

/** Of the whole question, for the first statement under a heading or term that is its subject, and for the others. */
const OPENS_DEFINITION = 1;
const IN_DEFINITION = 0.35;
/** For the first of a section where it is asked what something is, and it begins as definitions in glossaries do. */
const SAYS_WHAT_IT_IS = 3;
/** The same of a page that is called like the subject, and of a glossary. */
const SAYS_WHAT_IT_IS_THERE = 7;
const STANDS_THERE = 6;
/** For the first statement under a term, or of a page, that is the name which is all that is asked. */
const EXPLAINS_NAME = 6;
const IS_ONE = /^.{1,60}? (?:is|are) (?:an?|the|any|one) /iu;
const SAYS_WHAT = new RegExp(`^(?:an?|any|one|the) \\p{Ll}|${IS_ONE.source}`, 'iu');
/** The same for a statement that begins with the subject, as definitions do. */
const DEFINES_ITSELF = 0.4;
/** And for one that says what anything of the name is: "A slot keeps …". */
const DEFINES_ANY = 1;
/** "A slot must …" says what holds of a slot, not what it is. */
const CONDITION = /\b(?:can|cannot|could|may|might|must|shall|should|will|would|has|have)\b/i;
/** Where a statement names its subject at the latest, in characters. */
const BEGINNING = 80;
/** What may stand before a name, in characters. */
const ARTICLE = 12;

/** In reading order. `units`, `terms` and `once`: of its text, as it was read. */
export function candidatesOf(
  { title }: Pick<Passage, 'title'>,
  { units, terms, plain, once }: ReadText,
  passage: number,
  asked: Asked,
): Candidate[] {
  const inTitle = new Set(terms(title, asked.names));
  const page = { isTitled: isCalled(title, asked, terms), isGlossary: GLOSSARY.test(title) };
  const asksOption = asked.names.some((name) => OPTION.test(name));
  const defined = (lead: readonly string[]): boolean => isSubject(lead, asked, inTitle);
  let headed: Headed | null = null;
  const headedBy = (leads: readonly string[]): Headed => {
    if (headed?.leads === leads) return headed;
    const read = once(leads, leadsOf);
    const termsOfLeads = read
      .filter(({ isOption }) => asksOption || !isOption)
      .map(({ bare }) => terms(bare, asked.names));
    const all = termsOfLeads.length === 1 ? termsOfLeads[0]! : termsOfLeads.flat();
    const under = termsIn(asked, all);
    const isOverview = read.at(-1)?.isOverview === true;
    return (headed = { leads, terms: all, under, defines: termsOfLeads.some(defined), isOverview });
  };
  const explained = once(units, termsExplained);
  const ofUnits = plain();
  return units.map((unit, place) => {
    const { text, leads, header, row, section, isStatement, opens, isOfTerm } = unit;
    const term = explained[place];
    const words = asked.names.length === 0 ? ofUnits[place]! : terms(text, asked.names, true);
    const counts = countsOf(asked, words);
    const above = headedBy(leads);
    const under =
      header === undefined ? above.under : termsIn(asked, [...above.terms, ...terms(header, asked.names)]);
    const cell = header === undefined ? '' : text.split('|', 1)[0]!;
    const isOfSubject = above.defines || (cell.trim() !== '' && defined(terms(cell, asked.names)));
    const isTermLine = term !== undefined && defined(terms(term, asked.names));
    // Written out: there are hundreds for each question, and to copy a unit takes longer than all else here.
    const candidate = {
      text,
      leads,
      section,
      isStatement: isTermLine || isStatement,
      opens: isTermLine || opens,
      isOfTerm,
      passage,
      terms,
      place,
      counts,
      words,
      under,
      defines: isTermLine || isOfSubject,
      isOverview: above.isOverview,
      isTitled: page.isTitled,
      isGlossary: page.isGlossary,
      row,
    };
    return header === undefined ? candidate : { ...candidate, header };
  });
}

/** How often each term of the question is among these. */
const countsOf = ({ terms }: Asked, words: readonly string[]): ReadonlyMap<string, number> => {
  let counts: Map<string, number> | null = null;
  for (const term of words)
    if (terms.has(term)) (counts ??= new Map()).set(term, (counts.get(term) ?? 0) + 1);
  return counts ?? NO_COUNTS;
};

const termsIn = ({ terms }: Asked, all: readonly string[]): ReadonlySet<string> =>
  all.some((term) => terms.has(term)) ? terms.intersection(new Set(all)) : NO_TERMS;

const NO_COUNTS: ReadonlyMap<string, number> = new Map();
const NO_TERMS: ReadonlySet<string> = new Set();

/** What units stand under: without asides, and whether it is the name of an option, or says what its page is about. */
const leadsOf = (leads: readonly string[]) =>
  leads.map((lead) => ({
    bare: lead.replaceAll(ASIDE, ' '),
    isOption: OPTION.test(lead),
    isOverview: OVERVIEW.test(lead),
  }));

/** Of each unit, the term that it begins with and explains. */
const termsExplained = (units: readonly Unit[]): readonly (string | undefined)[] =>
  units.map(({ text }) => TERM_LINE.exec(text)?.[1]);

/** What the units of a section stand under. */
interface Headed {
  readonly leads: readonly string[];
  readonly terms: readonly string[];
  /** Those of the question. */
  readonly under: ReadonlySet<string>;
  /** Whether one of them is its subject. */
  readonly defines: boolean;
  readonly isOverview: boolean;
}

const OVERVIEW =
  /^\W*(?:\d+(?:\.\d+)*\.?\s+)?(?:(?:general |short |brief )?(?:description|overview|introduction|summary|purpose)|about)\W*$/iu;
const GLOSSARY = /glossar|terminolog/i;
/** What sites put between a page and themselves. */
const BETWEEN = /\s[-–—|·:]\s|:\s/u;

/** Whether a title, or what it begins with, is the subject and nothing else. */
function isCalled(title: string, { subject, names }: Asked, termsOf: ReadText['terms']): boolean {
  const whole = title.replaceAll(ASIDE, ' ');
  return [whole, whole.split(BETWEEN, 1)[0]!].some((part) => {
    const terms = new Set(termsOf(part, names));
    return terms.size === subject.size && subject.isSubsetOf(terms);
  });
}

/** `git-stash - Stash the changes …`, `Tuple: a row`: a term and what it means, which an address does not say. */
const TERM_LINE = /^(.{1,80}?)(?:\s+[-–—]{1,2}|:)\s+(?!\S*[#/.]\S+$)\S/u;
/** `(integer)` behind the name of a setting, and the number of a section. */
const ASIDE = /\([^()]*\)|^[\d.]+\s/g;

/**
 * Of a page about `git fetch`, the term `--prune` is what is asked for by `git fetch --prune`; of a page about the pipe
 * transport, `timeout` by "the timeout of the pipe transport". Of two things that differ, neither is a part of the other.
 */
const isSubject = (
  lead: readonly string[],
  { subject, terms, kind }: Asked,
  inTitle: ReadonlySet<string>,
): boolean => {
  // Most leads say something else.
  if (!lead.every((term) => terms.has(term) || ASKING.has(term))) return false;
  const held = new Set(lead);
  return (
    subject.isSubsetOf(held) ||
    (kind !== 'difference' && !subject.isSubsetOf(inTitle) && subject.difference(inTitle).isSubsetOf(held))
  );
};

/** An option's name leads to what the option does, not to what it is named after. */
const OPTION = /^\s*-/;

/** Share of the question that a statement is worth for defining its subject. */
export function definingOf(
  { isStatement, opens, header, defines, isOverview, isTitled, isGlossary, text, terms }: Candidate,
  { subject, names, isWhat, isDoes }: Asked,
): number {
  if (!isStatement) return 0;
  if (opens && (defines || isTitled) && names.length === 1 && subject.size === 1) return EXPLAINS_NAME;
  if (isOverview && isTitled && opens) return isWhat || isDoes ? SAYS_WHAT_IT_IS : OPENS_DEFINITION;
  if (defines && opens && isWhat) {
    const says = SAYS_WHAT.test(text);
    if (isTitled || isGlossary) return says ? SAYS_WHAT_IT_IS_THERE : STANDS_THERE;
    if (says) return SAYS_WHAT_IT_IS;
  }
  if (defines) return opens || header !== undefined ? OPENS_DEFINITION : IN_DEFINITION;
  if (
    names.some(
      (name) =>
        !text
          .slice(0, name.length + ARTICLE)
          .toLowerCase()
          .includes(name),
    )
  )
    return 0;
  const beginning = terms(text.slice(0, BEGINNING), names).slice(0, subject.size);
  if (!subject.isSubsetOf(new Set(beginning))) return 0;
  if (CONDITION.test(text.slice(0, BEGINNING))) return 0;
  const isDefinition = /^an?\s/i.test(text) || (isWhat && IS_ONE.test(text));
  return isDefinition ? DEFINES_ANY : DEFINES_ITSELF;
}
