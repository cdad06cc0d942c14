import { termsOf } from './terms.ts';

/** What anybody does to anything. */
const DEEDS = `
  accept accomplish achieve act add adjust allow appear apply arrange ask assign avoid become begin behave belong
  bring build call carry cause change choose close come consider contain continue control convert cover create cut
  deal decide declare define depend describe determine disable do done drop edit enable end ensure enter exist
  expect explain fail fill find finish fix follow force forget get give given go gone handle happen have hear held help
  hide hold improve include increase indicate insert keep kept know learn leave let like limit list look lose made
  make manage mean modify move name need obtain occur open order perform pick place prevent produce provide put read
  receive reduce refer remain remember remove repeat replace require return run save say see seem select send set
  show specify start stay stop store support suppress switch take taken talk tell think treat try turn typing understand
  use view want wish work write written`;
/** Forms of these that no ending tells; but for what was built and written, of which it is asked who did it. */
const IRREGULAR = `
  began begun became brought chose chosen came dealt fell fallen forgot forgotten found gave got gotten heard knew
  known left lost meant ran said saw seen sent shown stood thought told took understood went`;
/** Where, when and how it is done. */
const MANNERS = `
  above again ahead along already also always anyway apart around automatically away back before below completely
  correctly currently directly down easily else enough even ever everywhere exactly explicitly finally first forward
  hardly here immediately in inside instead just later manually maybe more most much never normally not now off
  often on once only otherwise out outside over properly quickly quietly rather really simply sometimes somewhere
  soon still temporarily then there together too twice under up usually very well within without yet`;
/** What may be said of anything. */
const QUALITIES = `
  able actual additional allowed another available basic best better big certain common complete correct current
  different easy entire exact existing extra few first following free full general given good great hard high
  important large last least left less little long low main many max maximum min minimum most necessary new next
  normal old other own particular past possible previous proper quick real right safe same second several short
  similar simple single small special specific standard supported third total true typical useful usual various
  whole wrong`;
/** Things of no kind, and what is left of words where people type in haste. */
const THINGS = `
  amount anybody anyone anything app application arent bit cant case code computer couldn didn didnt doesn doesnt dont
  every everyone everything example fact hasn haven im isn isnt kind lot machine matter nothing number part people person place point problem
  program project reason result script shouldn somebody someone something sort sth stuff thing time wasn way wont wouldn`;

/** Short verbs keep their endings as terms, such as `adding` and `putting`, so that each has its forms here. */
const formsOf = (verb: string): string => {
  const bare = verb.replace(/e$/, '');
  const endings = [`${bare}ing`, `${bare}${bare.at(-1)}ing`, `${bare}ed`];
  return [verb, `${verb}s`, ...endings].join(' ');
};

/**
 * Terms of English words that may stand in any question and tell little of its subject: who asks how to "create a brush of
 * my own" and how to "make a new brush" asks the same. By kinds of words, not by what any manual lacks; far from all.
 */
export const COMMON_TERMS: ReadonlySet<string> = new Set(
  [DEEDS.replaceAll(/\S+/g, formsOf), IRREGULAR, MANNERS, QUALITIES, THINGS].flatMap((words) =>
    termsOf(words),
  ),
);
