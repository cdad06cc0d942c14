import type {
  IngestionSettingOperations,
  SettingChange,
} from '../../../application/sources/ingestion/setting-operations.ts';
import { camelKeys } from '../../../domain/shared/key-case.ts';
import type { ParameterChange } from '../../../domain/ingestion-setting/index.ts';
import { ok } from '../json-response.ts';
import { type AnyDataSourceHttp, seconds } from './kind.ts';
import { type AnyRoute, route } from '../route.ts';
import { Occurrences, OccurrencesQuery } from '../schemas/data-source.ts';
import { problemsOfSecrets } from './data-source-routes.ts';

const READS = ['ingestion_setting', 'data_source'] as const;

/** Read and change the settings of data sources of one kind. */
export const settingRoutes = (
  settings: IngestionSettingOperations,
  of: AnyDataSourceHttp,
): readonly AnyRoute[] => {
  const { kind, one, settingsPath, settingsTag, noun, namesSecret, setting } = of;
  if (setting === undefined || settingsPath === undefined || settingsTag === undefined) return [];
  const common = { tag: settingsTag, scope: 'ingestion:manage' } as const;
  return [
    route({
      ...common,
      method: 'get',
      path: `${settingsPath}/{id}`,
      operationId: `get${one}Setting`,
      summary: `Get the ingestion setting of a ${noun}`,
      description: `Name, schedule and parameters of the jobs of one ${noun}; its id is on the record of the ${noun}.`,
      reads: READS,
      rewinds: 'id',
      answers: { 200: setting.record },
      handler: async ({ caller, id }) => ok(setting.toRecord(await settings.get(caller, kind, id))),
    }),
    route({
      ...common,
      method: 'put',
      path: `${settingsPath}/{id}`,
      operationId: `change${one}Setting`,
      summary: `Change name, schedule and parameters of a ${noun}`,
      description: setting.changeDescription,
      body: setting.change,
      writes: true,
      settles: ['ingestion_setting', ...(namesSecret === true ? (['secret'] as const) : [])],
      answers: { 200: setting.record },
      problems: [...setting.changeProblems, ...problemsOfSecrets(of)],
      handler: async ({ caller, id, body }) => {
        const { record, position } = await settings.change(caller, kind, id, changeIn(body as Body));
        return ok(setting.toRecord(record), position);
      },
    }),
    route({
      ...common,
      method: 'get',
      path: `${settingsPath}/{id}/occurrences`,
      operationId: `list${one}Occurrences`,
      summary: `When the schedule of a ${noun} fires next`,
      description:
        'As the scheduler reckons them; empty without a schedule. One that comes while a job is at work is left out.',
      query: OccurrencesQuery,
      reads: READS,
      answers: { 200: Occurrences },
      handler: async ({ caller, id, query }) => {
        const instants = await settings.occurrences(caller, kind, id, query.limit ?? 20);
        return ok({ occurrences: instants.map(seconds) });
      },
    }),
  ];
};

/** All fields except name and schedule are parameters of the kind; `dataSourceHttp` makes the compiler check this. */
const changeIn = ({ name, rrule, ...parameters }: Body): SettingChange => ({
  ...(name !== undefined && { name }),
  ...(rrule !== undefined && { rrule }),
  ...(Object.keys(parameters).length > 0 && { parameters: camelKeys(parameters) as ParameterChange }),
});
type Body = { readonly name?: string; readonly rrule?: string | null };
