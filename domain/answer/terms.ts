import { folded, wordsOf } from '../shared/words.ts';

/**
 * Everyday words that mean the same in any manual: who asks has one, and who explains another. By their stems, and by
 * the words where a stem has others too: folding is no folder, and what is large not the largest. Words that mean something
 * else beside, such as show and list, or start and begin, are left alone.
 */
const STEMS: Readonly<Record<string, string>> = {
  delet: 'remov',
  eras: 'remov',
  max: 'maximum',
  min: 'minimum',
  execut: 'run',
  permit: 'allow',
  deny: 'forbid',
  prohibit: 'forbid',
  deactiv: 'disabl',
};

const WORDS: Readonly<Record<string, string>> = {
  largest: 'maximum',
  greatest: 'maximum',
  smallest: 'minimum',
  folder: 'director',
  folders: 'director',
  denied: 'forbid',
  denies: 'forbid',
  activate: 'enabl',
  activates: 'enabl',
  activated: 'enabl',
  activating: 'enabl',
};

const [BY_STEM, BY_WORD] = [STEMS, WORDS].map((one) => new Map(Object.entries(one)));

/** The term of a word: of all that mean the same one, whichever was written. */
const sameTerm = (word: string, ending: string): string =>
  BY_WORD!.get(word) ?? BY_STEM!.get(ending) ?? ending;

/** The terms of a text, in order: its words without English stop words, without inflection and without accents. */
export function termsOf(text: string): string[] {
  return wordsOf(text)
    .map(termOf)
    .filter((term) => term !== null);
}

/** The term of one word of a text; null for a stop word. */
export const termOf = (word: string): string | null => {
  if (ENGLISH_STOP_WORDS.has(word)) return null;
  const bare = folded(word);
  return sameTerm(bare, stem(bare));
};

/** Longest first. What is left must be longer than three letters. */
const ENDINGS =
  `izations ization izing izers ized izes izer ize ations ments ation ingly ities ment ions ings ible able edly ness ally ity ies ing ion ers est ed es
  er or al ly ic s e y`.split(/\s+/);

/**
 * Takes the commonest English endings off, so that `installing`, `installation` and `installed` are one term. Light
 * and sometimes wrong; both sides of a comparison go through it. Words with digits stay as they are.
 */
export function stem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  if (word.length === 4) return /[^aius]s$/.test(word) ? word.slice(0, -1) : word;
  const ending = ENDINGS.find((one) => word.length - one.length > 3 && word.endsWith(one));
  const base = ending === undefined || word.endsWith('ss') ? word : word.slice(0, -ending.length);
  return undoubled(base.length > 4 && base.endsWith('at') ? base.slice(0, -2) : base);
}

/** `runn` of `running` is `run`. */
function undoubled(base: string): string {
  const last = base.at(-1)!;
  return base.length > 3 && last === base.at(-2) && !'aeiouls'.includes(last) ? base.slice(0, -1) : base;
}

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

const listed = (words: string): ReadonlySet<string> => new Set(wordsOf(words).map(folded));

export const ENGLISH_STOP_WORDS = listed(
  `a about after all also am among an and any anyone are as at be because been before being between but by can could
  did do does doing done each for from get give given had has have having he her here his how i if in into is it its
  just know let like may me might mine much must my no not of off on one or our ours please shall she should show so
  some such tell than that the their them then there these they this those to too under until up upon us very was we
  were what when where whether which while who whom whose why will with within without would you your yours
  explain describe don t s re ll ve d m`,
);

/**
 * Terms of English words that may stand in any question and tell little of its subject: who asks how to "create a brush of
 * my own" and how to "make a new brush" asks the same. By kinds of words, not by what any manual lacks; far from all.
 */
export const COMMON_TERMS: ReadonlySet<string> = new Set(
  [DEEDS.replaceAll(/\S+/g, formsOf), IRREGULAR, MANNERS, QUALITIES, THINGS].flatMap((words) =>
    termsOf(words),
  ),
);

/** Of the commonest languages beside it, what questions are made of: their questioning and joining words. */
const OTHERS: readonly ReadonlySet<string>[] = [
  `wie was wer wen wem wessen wo wohin woher wann warum weshalb wieso welche welcher welches welchen welchem wieviel
  viel viele lange hoch der die das den dem des ein eine einen einem einer eines ich du er sie es wir ihr man mich mir
  mein meine meinen sich ist sind war waren wird werden wurde hat habe haben hatte kann können darf muss müssen soll
  sollte macht machen tun gibt und oder aber nicht kein keine auf aus bei bis durch für gegen im in mit nach ob ohne
  seit über um unter vom von vor zu zum zur an am als auch noch nur dann dass`,
  `comment quoi que qu quel quelle quels quelles qui où quand pourquoi combien est ce le la les l un une des du de d je
  j tu il elle on nous vous ils elles mon ma mes se s être sont était a ai avoir ont peut peux puis faut faire fait dois
  doit et ou mais ne n pas au aux avec chez dans en entre par pour sans sous sur vers y à cela ça c`,
  `cómo qué quién quiénes cuál cuáles dónde cuándo cuánto cuánta cuántos cuántas por el la los las lo un una unos unas
  de del al yo tú él ella ellos mi mis me se es son está están fue ser estar ha han he hay hacer hace hago tengo tiene
  puedo puede debo debe y o u pero no a ante con contra desde en entre hacia hasta para que sin sobre su sus`,
  `come che cosa chi quale quali dove quando perché quanto quanta quanti quante il lo la i gli le l un uno una del dello
  della dei degli delle di al allo alla ai alle dal dalla nel nella sul sulla io tu lui lei noi voi mio mia si è sono era
  essere ha ho hanno avere c ci fa fare faccio posso può devo deve e o ma non a con da in per su tra fra`,
  `como que quem qual quais onde quando porque quanto quanta quantos quantas o a os as um uma uns umas de do da dos das
  ao à no na nos nas eu tu ele ela nós meu minha se é são foi era ser estar está há tem tenho ter fazer faz faço posso
  pode devo deve e ou mas não com em entre para pelo pela por sem sobre seu sua`,
  `hoe wat wie wiens waar waarom wanneer welk welke hoeveel de het een ik jij je hij zij ze wij we mijn zich is zijn was
  waren wordt worden heeft heb hebben had kan kunnen mag moet moeten doe doet doen en of maar niet geen aan als bij door
  in met na naar om onder op over te tot uit van voor zonder er dat die dit deze ook`,
  `как что кто кого кому чей где куда откуда когда почему зачем какой какая какое какие каков какова каково сколько это
  я ты он она оно мы вы они мой моя мне меня себя есть был была было были быть будет может можно могу нужно надо должен
  и или но не ни а в во на по под при про с со у за из к ко о об от до для без между над ли же бы`,
].map(listed);

/**
 * Whether a word of a question says nothing of its subject: by English, and by the language that most of the question's
 * words are such words of, where that is another.
 */
export function stopWordsOf(question: string): ReadonlySet<string> {
  const words = wordsOf(question).map(folded);
  const hits = (list: ReadonlySet<string>): number => words.filter((word) => list.has(word)).length;
  const most = OTHERS.reduce((best, list) => (hits(list) > hits(best) ? list : best));
  return hits(most) > hits(ENGLISH_STOP_WORDS) ? ENGLISH_STOP_WORDS.union(most) : ENGLISH_STOP_WORDS;
}
