/** Of one field of a form, by its name in the API. */
export type FieldWords = Readonly<Record<string, { readonly label: string; readonly rule?: string }>>;

type Did = Readonly<Record<'indexed' | 'unchanged' | 'skipped' | 'failed', number>>;

/** What the fields of a kind of source are called. */
export const fieldsOf = (type: string): FieldWords => {
  const rule = sourceWords.create.secretRules[type];
  return {
    ...sourceWords.fields,
    secret_id: { label: sourceWords.fields.secret_id.label, ...(rule && { rule }) },
  };
};

/** The words of sources and their documents. */
export const sourceWords = {
  sources: {
    new: 'New source',
    empty: 'There is no source yet',
    emptyHint: 'Create one: a website, a repository, a drive, a wiki, or files of yours.',
    noMatch: 'No source fits this filter.',
    choose: 'Choose',
    chosen: (n: number) => (n === 1 ? '1 source chosen' : `${n.toLocaleString()} sources chosen`),
    confirmDelete: (n: number) =>
      n === 1 ? 'Delete this source?' : `Delete these ${n.toLocaleString()} sources?`,
    name: 'Name',
    kind: 'Kind',
    state: 'State',
    documents: 'Documents',
    passages: 'Passages',
    created: 'Created',
    filterName: 'Filter by the beginning of the name',
    allKinds: 'All kinds',
    allStates: 'All states',
  },
  source: {
    countsOf: (runs: boolean) => (runs ? 'This job:' : 'Last job:'),
    counts: {
      seen: 'Seen',
      indexed: 'Indexed',
      unchanged: 'Unchanged',
      skipped: 'Skipped',
      failed: 'Failed',
      bytes: 'Size',
    },
    unknown: 'There is no such source',
    toAll: 'All sources',
    timeline: 'Timeline',
    documents: 'Documents',
    files: 'Add files',
    problems: 'Problems',
    changes: 'Changes',
    settings: 'Settings',
    saved: 'Saved. The next job follows it.',
    confirmDelete: (name: string) => `Delete “${name}”?`,
    deleteHint: (documents: number, passages: number) =>
      `${documents.toLocaleString()} documents with ${passages.toLocaleString()} passages go. Searches hide them at once. The audit trail stays.`,
    attempts: 'Attempts',
    waiting: 'waiting',
    working: 'working',
    requeued: 'Waits for another attempt',
    triggers: {
      create: 'Created',
      sync: 'Sync',
      schedule: 'Schedule',
      upload: 'Upload',
      push: 'Push',
      recovery: 'Recovery',
      retry: 'Attempt',
    } as Readonly<Record<string, string>>,
    did: ({ indexed, unchanged, skipped, failed }: Did): string =>
      [
        [indexed, 'indexed'],
        [unchanged, 'unchanged'],
        [skipped, 'skipped'],
        [failed, 'failed'],
      ]
        .flatMap(([n, what]) => (n === 0 ? [] : `${n!.toLocaleString()} ${what}`))
        .join(', ') || 'nothing found',
    allOfIt: 'All that it did',
    idle: (time: string) => `${time} without a job`,
    noAttempts: 'No job ran in this time.',
    range: 'Time shown',
    ranges: {
      all: 'All the time',
      '24h': 'Last 24 hours',
      '7d': 'Last 7 days',
      '30d': 'Last 30 days',
      chosen: 'From … to …',
    },
    noProblems: 'Nothing failed in the newest job.',
    noDocuments: 'Nothing is stored yet.',
    noDocumentFits: 'No document fits this filter.',
    filterDocuments: 'Filter by a part of the name or address',
    schedule: 'Schedule',
    next: 'Next',
    planned: 'Planned',
    planMore: (n: number) => `The next ${n} times are shown.`,
    monthBefore: 'The month before',
    monthAfter: 'The month after',
    noSchedule: 'It has no schedule.',
    robots: 'robots.txt forbids',
  },
  document: {
    states: { indexed: 'Indexed', skipped: 'Skipped', failed: 'Failed' },
    passages: 'Passages',
    stored: 'As stored',
    history: 'History',
    text: 'Text',
    noText: 'It has no text.',
    about: (n: number, characters: number, page: number) =>
      `Passage ${n}: ${characters.toLocaleString()} characters${page > 0 ? `, page ${page}` : ''}`,
    marksHint:
      'Put together from the passages that searches find. What two of them share has a tint of its own.',
    keep: 'Keep as a file',
    sourceText: 'Source',
    pageHint: 'Without its scripts, styles and whatever it loads from elsewhere.',
    notShown: (type: string) => `Files of the type ${type} are not shown here. Their text is under “Text”.`,
  },
  create: {
    title: 'New source',
    optional: 'More settings',
    files: 'Drop files and folders here, or choose files',
    folder: 'Or a whole folder',
    sent: (sent: string, total: string) => `${sent} of ${total} sent`,
    uploads: 'Files to send',
    file: 'File',
    size: 'Size',
    states: {
      waiting: 'Waits',
      sending: 'Is sent',
      stored: 'Stored',
      failed: 'Failed',
      canceled: 'Cancelled',
    },
    cancelAll: (n: number) => (n === 1 ? 'Cancel 1 file' : `Cancel all ${n.toLocaleString()}`),
    leftOut: (names: readonly string[]) =>
      `Not sent, as you cancelled it: ${names.slice(0, 5).join(', ')}${names.length > 5 ? ` and ${(names.length - 5).toLocaleString()} more` : ''}.`,
    toSource: 'Show the source',
    send: 'Send',
    addHint: 'A file of the same name takes the place of the one before.',
    test: 'Test',
    reached: (items: number, more: boolean, first: string) =>
      `Reached: ${more ? 'more than ' : ''}${items === 1 ? '1 item' : `${items.toLocaleString()} items`}, the first is ${first}`,
    olderValues: 'This test is of the values before your last change.',
    nothingThere: 'Reached, but nothing there fits these settings.',
    secretRules: {
      repo: 'The host is asked with it: one of the type token, basic or app. Public repositories need none',
      cloud_drive: 'The drive is asked with it: one of the type service_account, oauth_refresh or token',
      wiki: 'The wiki is asked with it: one of the type token',
    } as Readonly<Record<string, string>>,
    noSecret: 'None',
    chosen: (n: number, bytes: string) => `${n === 1 ? '1 file' : `${n.toLocaleString()} files`}, ${bytes}`,
    oneEach: 'One on each line',
    fromTo: (least: number, most: number) => `From ${least.toLocaleString()} to ${most.toLocaleString()}`,
  },
  /** Of forms: what a field is called, and what it means where the API does not say it in these words. */
  fields: {
    name: { label: 'Name', rule: '' },
    start_url: { label: 'Start address', rule: 'The crawl begins here and stays on this site' },
    max_depth: {
      label: 'Depth',
      rule: 'How many links it follows from the start address, one behind the other',
    },
    max_num_files: { label: 'Most documents', rule: 'It stops when it has so many' },
    path_filters: {
      label: 'Paths',
      rule: 'Globs such as **/docs/**; a ! in front leaves out what fits. At most 2,000 characters in all',
    },
    content_pattern: {
      label: 'Text that a page must have',
      rule: 'Regular expressions: a page is kept if one of them fits its text. At most 2,000 characters in all',
    },
    html_only: { label: 'HTML pages only', rule: 'Leaves out PDFs and other files that pages link to' },
    use_browser: {
      label: 'Read pages in a browser',
      rule: 'For pages whose scripts write them. It takes longer',
    },
    no_canonical_check: {
      label: 'Keep duplicates',
      rule: 'Several addresses of one page become several documents: also where they differ in ids of sessions, parameters of tracking or encoding alone',
    },
    file_extensions: { label: 'File extensions', rule: 'Such as .html: other files are not read' },
    repository: {
      label: 'Repository',
      rule: 'owner/name, such as acme/handbook, at the host that the operator has set up',
    },
    reference_type: { label: 'Which state' },
    reference_param: { label: 'Branch, tag or commit' },
    folder_url: { label: 'Address of the folder' },
    page_id: { label: 'Page' },
    include_children: { label: 'With the pages below it' },
    secret_id: { label: 'Secret' },
    rrule: {
      label: 'Schedule',
      rule: 'When it is read again by itself: a recurrence rule (RFC 5545) in UTC, such as FREQ=DAILY;BYHOUR=3;BYMINUTE=0;BYSECOND=0. Empty: only when somebody asks for it',
    },
  } satisfies FieldWords,
} as const;
