import { createExtractiveModel } from '../../../../adapters/models/language-model/extractive/language-model.ts';
import { says } from '../../../support/model-interfaces/interface.ts';
import { openModelProvider } from '../../../support/model-provider.ts';
import { CONTRACT_CALLS, languageModelContract } from '../../contracts/language-model.ts';
import { createModel, INTERFACES } from './open-model.ts';

languageModelContract('the extractive adapter', async () => ({
  model: createExtractiveModel((text) => text.match(/\S+/g)?.length ?? 0),
  close: async () => {},
}));

for (const [name, wire] of INTERFACES) {
  languageModelContract(`the adapter for ${name}`, async () => {
    const provider = await openModelProvider();
    provider.otherwise = says(wire, 'It hunts birds [1].', '{"answer": "other birds"}', CONTRACT_CALLS);
    const model = createModel(wire, provider.baseUrl);
    return {
      model,
      close: async () => {
        await model.close();
        await provider.close();
      },
    };
  });
}
