import type { IngestionSettingOperations } from '../../../application/sources/ingestion/setting-operations.ts';
import type { ParametersKind } from '../../../domain/ingestion-setting/index.ts';
import type { AnyRoute } from '../route.ts';
import { auditRoutes, type AuditRoutesDeps } from './audit-routes.ts';
import { cloudDriveHttp } from './cloud-drive.ts';
import { crawlHttp } from './crawl.ts';
import { dataSourceRoutes, type DataSourceRoutesDeps } from './data-source-routes.ts';
import type { AnyDataSourceHttp } from './kind.ts';
import { pushHttp } from './push.ts';
import { type PushRoutesDeps, pushRoutes } from './push-routes.ts';
import { repoHttp } from './repo.ts';
import { type UploadRoutesDeps, localFileGroupHttp, uploadRoutes } from './local-file-group.ts';
import { settingRoutes } from './setting-routes.ts';
import { wikiHttp } from './wiki.ts';

/** The kinds of data sources that this service offers. */
const BY_KIND: { readonly [Kind in ParametersKind]: AnyDataSourceHttp<Kind> } = {
  crawl: crawlHttp,
  repo: repoHttp,
  cloud_drive: cloudDriveHttp,
  wiki: wikiHttp,
  local_file_group: localFileGroupHttp,
  push: pushHttp,
};

/** The kinds of data sources that this service offers. */
export const KINDS: readonly AnyDataSourceHttp[] = Object.values(BY_KIND);

export interface KindsDeps extends DataSourceRoutesDeps, AuditRoutesDeps, UploadRoutesDeps, PushRoutesDeps {
  readonly settings: IngestionSettingOperations;
}

/** The operations of every kind. */
export const routesOfKinds = (deps: KindsDeps): readonly AnyRoute[] => [
  ...KINDS.flatMap((kind) => [
    ...dataSourceRoutes(deps, kind),
    ...auditRoutes(deps, kind),
    ...settingRoutes(deps.settings, kind),
  ]),
  ...uploadRoutes(deps),
  ...pushRoutes(deps),
];
