import { type Passage, passagesIn } from '../../../domain/agent-loop/passages.ts';
import { type AskedCompletion, callsTools, type ProviderAnswer, says } from '../model-provider.ts';

/** The passages that a request shows its model, whether as data or as results of tools. */
const passagesOf = ({ body }: AskedCompletion): readonly Passage[] =>
  body.messages.flatMap(({ content }) => passagesIn('search', content ?? ''));

/** The passage that a model was shown of what it is to read or to cite. @throws when it was shown none */
export const shownTo = (asked: AskedCompletion, about: string): Passage => {
  const found = passagesOf(asked).find(({ text }) => text.includes(about));
  if (found === undefined) throw new Error(`the model was shown no passage about ${about}`);
  return found;
};

/** A call of one tool. */
export const calls = (name: string, given: object): ProviderAnswer =>
  callsTools([{ id: `call-${name}`, name, arguments: JSON.stringify(given) }]);

/** An answer that is made of what the model was asked. */
export const answers =
  (of: (asked: AskedCompletion) => ProviderAnswer): ProviderAnswer =>
  (asked, response) =>
    of(asked)(asked, response);

/** A statement about a passage, with its number. */
export const cites = (about: string, words: string, behind = ''): ProviderAnswer =>
  answers((asked) => says(`${words} [${shownTo(asked, about).number}]${behind}`));
