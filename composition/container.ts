import { Container } from 'inversify';
import type { Config } from './config.ts';
import { applicationModule } from './modules/application.ts';
import { catalogModule } from './modules/catalog.ts';
import { crawlingModule } from './modules/crawling.ts';
import { httpModule } from './modules/http.ts';
import { rolesModule } from './modules/roles.ts';
import { storageModule } from './modules/storage.ts';
import { systemModule } from './modules/system.ts';
import type { Databases } from './startup.ts';
import { TOKENS } from './tokens.ts';

/** Everything wired, nothing started. `unbindAllAsync` closes what was opened. */
export const buildContainer = (config: Config, databases: Databases, draining: AbortSignal): Container => {
  const container = new Container({ defaultScope: 'Singleton' });
  container.load(
    systemModule(config),
    storageModule(databases),
    catalogModule,
    crawlingModule(config),
    applicationModule,
    rolesModule,
    httpModule(draining),
  );
  // What nobody asked for is not closed at the end, and the databases are open already: they would hold the process.
  container.get(TOKENS.Database);
  return container;
};
