import type { AgentServices } from './services/agents.ts';
import type { AgentLoopServices } from './services/agent-loop.ts';
import type { CompletionServices } from './services/completions.ts';
import type { CrawlingServices } from './services/crawling.ts';
import type { HttpServices } from './services/http.ts';
import type { OperationServices } from './services/operations.ts';
import type { RetrievalServices } from './services/retrieval.ts';
import type { StorageServices } from './services/storage.ts';
import type { SystemServices } from './services/system.ts';
import type { ViewServices } from './services/views.ts';
import type { WorkServices } from './services/work.ts';
import type { Token } from './wiring.ts';

/** All that the container hands out, by name. Two services of one name and different types do not compile. */
interface Services
  extends
    SystemServices,
    StorageServices,
    ViewServices,
    CrawlingServices,
    RetrievalServices,
    CompletionServices,
    AgentServices,
    AgentLoopServices,
    OperationServices,
    WorkServices,
    HttpServices {}

/** `TOKENS.Clock` is the token of the service of that name: to add a service, add it to one of the interfaces. */
export const TOKENS = new Proxy(
  Object.create(null) as { readonly [Name in keyof Services]: Token<Services[Name]> },
  {
    get: (_, name) => Symbol.for(`knowledger.${String(name)}`),
  },
);
