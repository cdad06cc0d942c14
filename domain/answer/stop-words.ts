import { folded } from '../shared/folding.ts';
import { wordsOf } from '../shared/words.ts';

const listed = (words: string): ReadonlySet<string> => new Set(wordsOf(words).map(folded));

export const ENGLISH_STOP_WORDS = listed(
  `a about after all also am among an and any anyone are as at be because been before being between but by can could
  did do does doing done each for from get give given had has have having he her here his how i if in into is it its
  just know let like may me might mine much must my no not of off on one or our ours please shall she should show so
  some such tell than that the their them then there these they this those to too under until up upon us very was we
  were what when where whether which while who whom whose why will with within without would you your yours
  explain describe don t s re ll ve d m`,
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
