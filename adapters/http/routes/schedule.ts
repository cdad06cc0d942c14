import Type from 'typebox';
import type { IngestionSettingOperations } from '../../../application/sources/ingestion/setting-operations.ts';
import { seconds } from '../data-sources/kind.ts';
import { ok } from '../json-response.ts';
import { type AnyRoute, route } from '../route.ts';
import { closed } from '../schemas/common.ts';
import { Occurrences, OccurrencesQuery } from '../schemas/data-source.ts';

export const scheduleRoutes = (
  settings: Pick<IngestionSettingOperations, 'preview'>,
): readonly AnyRoute[] => [
  route({
    tag: 'schedules',
    scope: 'ingestion:manage',
    method: 'get',
    path: '/schedule/occurrences',
    operationId: 'previewSchedule',
    summary: 'When a recurrence rule would fire',
    description:
      'As the scheduler would reckon a schedule that begins now. It keeps nothing, and refuses the rules that a data ' +
      'source may not have.',
    query: closed({
      ...OccurrencesQuery.properties,
      rrule: Type.String({
        minLength: 1,
        maxLength: 2_000,
        description: 'RFC 5545 recurrence rule',
        examples: ['FREQ=DAILY;BYHOUR=3;BYMINUTE=0;BYSECOND=0'],
      }),
    }),
    reads: [],
    answers: { 200: Occurrences },
    problems: ['invalid_rrule'],
    handler: async ({ query }) => {
      const instants = await settings.preview(query.rrule, query.limit ?? 20);
      return ok({ occurrences: instants.map(seconds) });
    },
  }),
];
