import Type, { type Static } from 'typebox';
import { closed, Id, Name } from './common.ts';
import {
  ContentPattern,
  FileExtensions,
  HTML_ONLY,
  MaxDepth,
  MaxNumFiles,
  NO_CANONICAL_CHECK,
  PathFilters,
  USE_BROWSER,
} from './crawl.ts';
import { rule } from './data-source.ts';

const either = (description: string) => Type.Optional(Type.Boolean({ description }));

export const CrawlSetting = Type.Object({
  id: Id,
  name: Type.String(),
  start_url: Type.String(),
  max_depth: Type.Integer(),
  html_only: Type.Boolean(),
  use_browser: Type.Boolean(),
  path_filters: Type.Array(Type.String()),
  content_pattern: Type.Array(Type.String()),
  max_num_files: Type.Integer(),
  no_canonical_check: Type.Boolean(),
  file_extensions: Type.Array(Type.String()),
  rrule: Type.Optional(Type.String()),
});
export type CrawlSetting = Static<typeof CrawlSetting>;

/** Everything but the place itself. What is absent stays as it is: there are no defaults. */
export const CrawlSettingChange = closed(
  {
    name: Type.Optional(Name),
    max_depth: Type.Optional(MaxDepth),
    max_num_files: Type.Optional(MaxNumFiles),
    path_filters: Type.Optional(PathFilters),
    content_pattern: Type.Optional(ContentPattern),
    html_only: either(HTML_ONLY),
    use_browser: either(USE_BROWSER),
    no_canonical_check: either(NO_CANONICAL_CHECK),
    file_extensions: Type.Optional(FileExtensions),
    rrule: Type.Optional(rule('null removes the schedule')),
  },
  { minProperties: 1 },
);
export type CrawlSettingChange = Static<typeof CrawlSettingChange>;

/** Those with a name of their own in the document. */
export const crawlSettingComponents = {
  CrawlSetting,
  CrawlSettingChange,
};
