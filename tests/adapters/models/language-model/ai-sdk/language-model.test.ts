import { createAiSdkModel } from '../../../../../adapters/models/language-model/ai-sdk/language-model.ts';
import { says } from '../../../../support/model-interfaces/interface.ts';
import { openModelProvider } from '../../../../support/model-provider.ts';
import { CONTRACT_CALLS, languageModelContract } from '../../../contracts/language-model.ts';
import { INTERFACES } from './open-model.ts';

for (const [name, wire] of INTERFACES) {
  languageModelContract(`the AI SDK adapter for ${name}`, async () => {
    const provider = await openModelProvider();
    provider.otherwise = says(wire, 'It hunts birds [1].', '{"answer": "other birds"}', CONTRACT_CALLS);
    const settings = wire.settings(provider.baseUrl);
    const model = createAiSdkModel({ settings, model: wire.model, contextWindow: 8_192 });
    return {
      model,
      close: async () => {
        await model.close();
        await provider.close();
      },
    };
  });
}
