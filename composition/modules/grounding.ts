import { ContainerModule } from 'inversify';
import { Agent } from 'undici';
import { sleep } from '../../adapters/system/timing.ts';
import { tracedWebSearch } from '../../adapters/telemetry/traced-providers.ts';
import { createSearxngWebSearch } from '../../adapters/models/web-search/searxng/web-search.ts';
import { createGround } from '../../application/answers/completions/grounding.ts';
import { TOKENS as T } from '../tokens.ts';
import type { WebSearchConfig } from '../web-search-config.ts';
import { providing } from '../wiring.ts';

const CONNECT_MS = 2_000;

/** The web beside the contents, where a search engine is configured. */
export const groundingModule = (config: WebSearchConfig | undefined): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const dispatcher = new Agent({ connect: { timeout: CONNECT_MS }, connections: 8 });
    const provide = providing(bind);
    provide(
      T.WebSearch,
      () =>
        config === undefined
          ? null
          : tracedWebSearch(createSearxngWebSearch({ dispatcher, sleep, ...config }), config.url),
      {},
    ).onDeactivation(() => dispatcher.destroy());
    provide(T.Ground, ({ webSearch, hidingFor }) => webSearch && createGround({ webSearch, hidingFor }), {
      webSearch: T.WebSearch,
      hidingFor: T.HidingFor,
    });
  });
