/**
 * Printed when the service is up: the address, the first key (shown only this once), the next steps, and without
 * embeddings how to get them.
 */
export const banner = (
  base: string,
  key: string | null,
  { hasEmbeddings, hasConsole }: { readonly hasEmbeddings: boolean; readonly hasConsole: boolean },
): string => {
  const api = `${base}/api/v1`;
  const shown = key ?? '<your API key>';
  const lines = [
    `knowledger is listening on ${base}`,
    `  API reference: ${base}/docs`,
    // The part behind # stays in the browser.
    ...(hasConsole ? [`  Console: ${base}/console${key === null ? '' : `#key=${key}`}`] : []),
    '',
    ...(key === null ? [] : [...shownKey(key), '  Keep it. All commands below use it.', '']),
    '  Crawl a site:',
    `    curl -s ${api}/crawls -H 'x-api-key: ${shown}' -H 'content-type: application/json' \\`,
    `      -d '{"name":"My site","start_url":"https://example.com/","max_depth":2,"max_num_files":100}'`,
    '  See how it goes:',
    `    curl -s ${api}/crawls -H 'x-api-key: ${shown}'`,
    '  Search it:',
    `    curl -s ${api}/search -H 'x-api-key: ${shown}' -H 'content-type: application/json' \\`,
    `      -d '{"query":"what is this domain for"}'`,
    '  Read the audit trail of its job (put in the id of the crawl):',
    `    curl -s ${api}/crawls/ID/events -H 'x-api-key: ${shown}'`,
    ...(hasEmbeddings ? [] : ['', WITHOUT_EMBEDDINGS]),
    '',
  ];
  return lines.join('\n');
};

const WITHOUT_EMBEDDINGS =
  '  Search knows words alone. To find what is said in other words too, fetch a model of 23 MB: npm run model -- fetch Xenova/all-MiniLM-L6-v2';

const shownKey = (key: string): readonly string[] => [
  '  Your first API key, shown only this once:',
  '',
  `    ${key}`,
  '',
];

/** The first key, printed alone when the event store was unavailable while the service opened. */
export const keyBanner = (key: string): string => [...shownKey(key), '  Keep it.', ''].join('\n');

/** Printed by a process that serves no API: it answers only /healthz and /readyz. */
export const healthBanner = (base: string, roles: Iterable<string>): string =>
  `knowledger runs ${[...roles].join(', ')}, listening on ${base} for /healthz and /readyz`;
