import Type, { type Static } from 'typebox';
import { SOURCE_TYPES } from '../../../domain/source/events.ts';
import { closed, Id, pageFields, Pagination, policyName, UnixSeconds, DeletedAt } from './common.ts';

const FILE_TYPES =
  'html pdf ppt pptx pptm doc docx docm xls xlsx xlsm md txt jsonl png jpg webp heic heif wav mp3 aiff aac m4a ' +
  'ogg flac mp4 mpg mov avi flv webm wmv 3gp wiki_page';
export const FileType = Type.Enum(FILE_TYPES.split(' '));
export const SourceType = Type.Enum([...SOURCE_TYPES]);
export const MetadataType = Type.Enum(['string', 'integer', 'float', 'date', 'datetime']);

const MEDIA_TYPE =
  'What the file is, without parameters, such as `message/rfc822`. `file_type` is the nearest of its values: `txt` for ' +
  'mails (eml, msg, mbox) and all plain text (csv, tsv, rst, adoc, tex, srt, vtt, log, json, yaml, code), `md` for mdx and ' +
  'ipynb, `doc` for rtf, `docx` for odt, `xlsx` for ods and xlsb, `pptx` for odp, `html` for epub and xhtml';

/** An indexed chunk. */
export const Content = Type.Object({
  id: Id,
  text: Type.String(),
  url: Type.String(),
  title: Type.String(),
  timestamp: Type.Integer({ description: 'Unix timestamp of indexing, in seconds' }),
  file_type: FileType,
  page_number: Type.Integer({ minimum: 0, description: '0 for sources without page numbers' }),
  source_type: SourceType,
  source_id: Type.Optional(Id),
  source_group_id: Id,
  keywords: Type.Array(Type.String()),
});
export type Content = Static<typeof Content>;
export const ContentList = Type.Object({ contents: Type.Array(Content), pagination: Pagination });
export const SourceContentList = Type.Object({
  ...ContentList.properties,
  before: Type.Integer({ description: 'How many contents of the source stand before these' }),
});

export const authorizationFields = {
  authz_policy: Type.Optional(
    policyName({
      description:
        'The authz policy that decides what is seen, by default `default`. Ignored while authorization is off',
    }),
  ),
  principal_id: Type.Optional(
    Type.String({
      maxLength: 256,
      description:
        'On whose behalf: the policy judges by what it knows of this principal. Ignored while authorization is off',
    }),
  ),
};
/** Of what shows an administrator who will see what. */
export const trialFields = {
  try_policy: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Follows policy and principal also while authorization is off, to try them before. It never shows more',
    }),
  ),
};
export const ContentQuery = closed(authorizationFields);
export const ContentListQuery = closed({ ...pageFields, ...authorizationFields });
export const SourceContentListQuery = closed({
  ...ContentListQuery.properties,
  around: Type.Optional(
    Type.String({
      format: 'uuid',
      description: 'Id of a content of the source: begin half a page before it. Not with `after`',
    }),
  ),
});

const MetadataRecord = Type.Object({ key: Type.String(), val: Type.String(), type: MetadataType });

const SourceStatus = Type.Enum(['indexed', 'skipped', 'failed']);

/** One stored document. */
export const Source = Type.Object({
  id: Id,
  deleted_at: DeletedAt,
  source_group_id: Id,
  source_type: SourceType,
  title: Type.String(),
  url: Type.String(),
  locator: Type.String({
    description: 'Name within its source group: the URL of a page, the path of a file. A sync takes it',
  }),
  file_type: Type.Optional(FileType),
  media_type: Type.Optional(
    Type.String({
      description: MEDIA_TYPE,
    }),
  ),
  language: Type.Optional(
    Type.String({
      description:
        'Of its text, BCP 47: as the text shows, or as the document declares. By it words are stemmed',
    }),
  ),
  size: Type.Optional(
    Type.Integer({ description: 'Bytes of the stored file; absent where a policy denies a part of it' }),
  ),
  sha256: Type.Optional(
    Type.String({
      pattern: '^[0-9a-f]{64}$',
      description: 'Of the stored file; absent where a policy denies a part of it',
    }),
  ),
  status: SourceStatus,
  skip_reason: Type.Optional(Type.String()),
  error: Type.Optional(Type.Object({ code: Type.String(), message: Type.String() })),
  last_seen_time: UnixSeconds,
  indexed_time: Type.Optional(UnixSeconds),
  content_count: Type.Integer(),
  metadata: Type.Object({ records: Type.Array(MetadataRecord) }),
});
export type Source = Static<typeof Source>;
export const SourceList = Type.Object({ sources: Type.Array(Source), pagination: Pagination });

export const SourceQuery = closed({
  ...pageFields,
  source_group_id: Type.Optional(Id),
  source_type: Type.Optional(SourceType),
  file_type: Type.Optional(FileType),
  url: Type.Optional(Type.String({ minLength: 1, maxLength: 2048 })),
  status: Type.Optional(
    Type.Array(SourceStatus, { maxItems: 3, description: 'Several are separated by commas' }),
  ),
  contains: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'A part of the title, the URL or the locator, without regard to case',
    }),
  ),
  sort: Type.Optional(
    Type.Enum(['newest', 'title'], {
      default: 'newest',
      description:
        '`title` is in the order of code points; one whose title changes meanwhile may come twice or not at all. ' +
        'Not with `as_of`',
    }),
  ),
  ...authorizationFields,
  ...trialFields,
});
export type SourceQuery = Static<typeof SourceQuery>;

export const MetadataReplacement = closed(
  {
    records: Type.Array(
      closed({
        key: Type.String({ minLength: 1, maxLength: 200 }),
        val: Type.String({ maxLength: 2000 }),
        type: Type.Optional(
          Type.Enum(['string', 'integer', 'float', 'date', 'datetime'], { default: 'string' }),
        ),
      }),
      { maxItems: 100, description: 'Replaces all records' },
    ),
  },
  { examples: [{ records: [{ key: 'team', val: 'docs' }] }] },
);
