import express, { type Express } from 'express';
import { createAdmit, createStillAllowed } from './authentication.ts';
import type { HttpDeps } from './deps.ts';
import { mountDocs } from './docs.ts';
import { createEntry } from './entry.ts';
import { createErrorAnswer } from './error-answer.ts';
import { mountHealth } from './health.ts';
import { mount } from './mount.ts';
import { openApiDocument } from './openapi.ts';
import { HttpProblem } from './problem.ts';
import { createRateLimit } from './rate-limit.ts';
import type { AnyRoute } from './route.ts';
import { apiKeyRoutes } from './routes/api-keys.ts';
import { contentRoutes } from './routes/contents.ts';
import { crawlAuditRoutes } from './routes/crawl-audit.ts';
import { crawlSettingRoutes } from './routes/crawl-settings.ts';
import { crawlRoutes } from './routes/crawls.ts';
import { eventRoutes } from './routes/events.ts';
import { searchRoutes } from './routes/search.ts';
import { sourceRoutes } from './routes/sources.ts';
import { components, recursive } from './schemas/components.ts';
import { createValidators } from './validation.ts';

export const BASE_PATH = '/api/v1';

/** The whole HTTP interface. Start telemetry before: instruments are taken when this is called. */
export const buildApp = (deps: HttpDeps): Express => {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', 'simple');
  app.enable('case sensitive routing');
  app.use(createEntry(deps));

  const routes = routesOf(deps);
  const api = express.Router({ caseSensitive: true });
  mount(api, routes, {
    admit: createAdmit(
      deps.authenticate,
      createRateLimit(() => deps.clock.now()),
    ),
    gate: deps.gate,
    check: createValidators(recursive),
    basePath: BASE_PATH,
  });
  app.use(BASE_PATH, api);
  mountHealth(app, deps);
  mountDocs(app, openApiDocument(routes, components, BASE_PATH));

  app.use((req) => {
    throw new HttpProblem('not_found', `there is nothing at ${req.path.slice(0, 200)}`);
  });
  app.use(createErrorAnswer(deps.log));
  return app;
};

/** In the order in which the router tries them: the most frequent first. */
const routesOf = (deps: HttpDeps): readonly AnyRoute[] => {
  const { authenticate, draining, keepAliveMs } = deps;
  const stream = { draining, keepAliveMs, stillAllowed: createStillAllowed(authenticate) };
  return [
    ...contentRoutes(deps.sources),
    ...searchRoutes(deps.search),
    ...crawlRoutes(deps),
    ...crawlAuditRoutes({ ...deps, ...stream }),
    ...crawlSettingRoutes(deps.settings),
    ...sourceRoutes(deps.sources),
    ...apiKeyRoutes(deps.apiKeys, deps.clock),
    ...eventRoutes(deps.events, stream),
  ];
};
