import { createExtractiveModel } from '../../../../adapters/models/language-model/extractive/language-model.ts';
import { createOpenAiCompatibleModel } from '../../../../adapters/models/language-model/openai-compatible/language-model.ts';
import { callsTools, openModelProvider, says } from '../../../support/model-provider.ts';
import { CONTRACT_CALLS, languageModelContract } from '../../contracts/language-model.ts';

const countWords = (text: string): number => text.match(/\S+/g)?.length ?? 0;

languageModelContract('the extractive adapter', async () => ({
  model: createExtractiveModel(countWords),
  close: async () => {},
}));

languageModelContract('the OpenAI-compatible adapter', async () => {
  const provider = await openModelProvider();
  provider.otherwise = (asked, response) => {
    const { tools, messages } = asked.body;
    const last = messages.at(-1)!;
    if (last.role === 'tool') return says(last.content)(asked, response);
    if (tools !== undefined) return callsTools(CONTRACT_CALLS, 'Wait.')(asked, response);
    const inSchema = asked.body.response_format?.json_schema?.schema !== undefined;
    return says(inSchema ? '{"answer": "other birds"}' : 'It hunts birds [1].')(asked, response);
  };
  const model = createOpenAiCompatibleModel({
    baseUrl: provider.baseUrl,
    apiKey: 'a-key-of-the-contract',
    model: 'stand-in',
    contextWindow: 8_192,
  });
  return {
    model,
    close: async () => {
      await model.close();
      await provider.close();
    },
  };
});
