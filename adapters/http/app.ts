import express, { type Express } from 'express';
import { createAdmit, createStillAllowed } from './authentication.ts';
import { withChanges } from './changes.ts';
import type { HttpDeps } from './deps.ts';
import { routesOfKinds } from './data-sources/kinds.ts';
import { mountConsole } from './console.ts';
import { mountDocs } from './openapi/docs.ts';
import { createBeginRequest } from './begin-request.ts';
import { createErrorResponder, createProblemFor } from './error-response.ts';
import { mountHealth } from './health.ts';
import { mountMcp } from './mcp/mount-mcp.ts';
import { mount } from './mount.ts';
import { openApiDocument } from './openapi/document.ts';
import { HttpProblem } from './problem.ts';
import { createRateLimit } from './rate-limit.ts';
import type { AnyRoute } from './route.ts';
import { agentEventRoutes } from './agents/agent-events.ts';
import { agentRunRoutes } from './agents/agent-runs.ts';
import { agentThreadRoutes } from './agents/agent-threads.ts';
import { auditProofRoutes } from './routes/audit-proofs.ts';
import { apiKeyRoutes } from './routes/api-keys.ts';
import { authzPolicyRoutes } from './routes/authz-policies.ts';
import { authzSubjectRoutes } from './routes/authz-subjects.ts';
import { completionRoutes } from './routes/completions.ts';
import { contentRoutes } from './routes/contents.ts';
import { conversationRoutes } from './routes/conversations.ts';
import { eventExportRoutes } from './routes/event-export.ts';
import { eventRoutes } from './routes/events.ts';
import { extractRoutes } from './routes/extract.ts';
import { meRoutes } from './routes/me.ts';
import { OPENAI_PATH, openAiRoutes } from './routes/openai.ts';
import { redactionPolicyRoutes } from './routes/redaction-policies.ts';
import { secretRoutes } from './routes/secrets.ts';
import { scheduleRoutes } from './routes/schedule.ts';
import { scrapeRoutes } from './routes/scrape.ts';
import { searchRoutes } from './routes/search.ts';
import { sourceGroupRoutes } from './routes/source-groups.ts';
import { sourceRoutes } from './routes/sources.ts';
import { statusRoutes } from './routes/status.ts';
import { tagSourceGroupRoutes } from './routes/tag-source-groups.ts';
import { tagRoutes } from './routes/tags.ts';
import { components, recursive } from './schemas/components.ts';
import { webhookRoutes } from './routes/webhooks.ts';
import { mountSignIn, originsOf } from './sign-in.ts';
import { createStreamSlots } from './stream-response.ts';
import { createValidators } from './validation.ts';

const BASE_PATH = '/api/v1';

/** The whole HTTP API. Start telemetry first: this function creates its instruments. */
export const buildApp = (deps: HttpDeps): Express => {
  const app = openApp(deps);
  const routes = withChanges(routesOf(deps), deps.readChanges);
  const api = express.Router({ caseSensitive: true });
  const admit = createAdmit(
    deps,
    createRateLimit(() => deps.clock.now()),
  );
  const check = createValidators(recursive);
  const { withDatabase = (work) => work(), inTurn = (_, work) => work() } = deps;
  const { gate, feed: log, openPast } = deps;
  const mounting = { admit, gate, log, check, withDatabase, inTurn, openPast };
  mount(api, routes, { ...mounting, basePath: BASE_PATH });
  app.use(BASE_PATH, api);
  const openAi = express.Router({ caseSensitive: true });
  const hasConsole = deps.consoleFolder !== undefined;
  mount(openAi, openAiRoutes({ ...deps, check, hasConsole }), { ...mounting, basePath: OPENAI_PATH });
  app.use(OPENAI_PATH, openAi);
  mountMcp(app, { ...deps, admit, check, withDatabase, problemFor: createProblemFor(deps) });
  mountHealth(app, deps);
  mountSignIn(app, deps.signIn);
  mountDocs(app, () => openApiDocument(routes, components, BASE_PATH));
  if (deps.consoleFolder !== undefined) mountConsole(app, deps.consoleFolder, () => originsOf(deps.signIn));
  return closeApp(app, deps);
};

/** For a process without the API: liveness and readiness. */
export const buildHealthApp = (
  deps: Pick<HttpDeps, 'ids' | 'log' | 'readiness' | 'optionalParts' | 'stop'>,
): Express => {
  const app = openApp(deps);
  mountHealth(app, deps);
  return closeApp(app, deps);
};

const openApp = (deps: Pick<HttpDeps, 'ids' | 'stop' | 'corsOrigins'>): Express => {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', 'simple');
  app.enable('case sensitive routing');
  return app.use(createBeginRequest(deps));
};

/** Handles what no handler before has answered. */
const closeApp = (app: Express, deps: Pick<HttpDeps, 'log' | 'isTransient' | 'stop'>): Express => {
  app.use((req) => {
    throw new HttpProblem('not_found', `there is nothing at ${req.path.slice(0, 200)}`);
  });
  return app.use(createErrorResponder(deps));
};

/** In the order in which the router tries them: most frequent first. */
const routesOf = (deps: HttpDeps): readonly AnyRoute[] => {
  const { gate, stop, keepAliveMs, streamLimits } = deps;
  const stream = {
    gate,
    stop,
    keepAliveMs,
    takeSlot: createStreamSlots(streamLimits),
    stillAllowed: createStillAllowed(deps),
  };
  return [
    ...contentRoutes(deps.sources),
    ...searchRoutes(deps.search, deps.serialisedSearch),
    ...completionRoutes({ ...deps, ...stream }),
    ...extractRoutes(deps),
    ...conversationRoutes(deps.conversations),
    ...agentRunRoutes(deps),
    ...agentEventRoutes({ ...deps, ...stream }),
    ...agentThreadRoutes(deps),
    ...routesOfKinds({ ...deps, ...stream }),
    ...scheduleRoutes(deps.settings),
    ...scrapeRoutes(deps.scrape),
    ...sourceRoutes(deps.sources),
    ...sourceGroupRoutes(deps.sourceGroups),
    ...tagRoutes(deps.tags),
    ...tagSourceGroupRoutes(deps.tagBindings),
    ...redactionPolicyRoutes(deps.redactionPolicies),
    ...authzPolicyRoutes(deps.authzPolicies),
    ...authzSubjectRoutes(deps.authzSubjects),
    ...apiKeyRoutes(deps.apiKeys, deps.clock),
    ...secretRoutes(deps.secrets),
    ...webhookRoutes(deps.webhooks),
    ...eventRoutes(deps.events, stream),
    ...eventExportRoutes(deps.events, deps.exports, stream),
    ...auditProofRoutes(deps.proofs),
    ...statusRoutes(deps.readStatus),
    ...meRoutes,
  ];
};
