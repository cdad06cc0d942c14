export type LinkTrap = 'repeated_segments' | 'path_too_deep' | 'too_many_parameters';

const MAX_REPEATS = 3;
const MAX_SEGMENTS = 20;
const MAX_PARAMETERS = 10;

/**
 * The sign of an endless space of URLs in `url`, or null: relative links that keep adding the same segments
 * (`/a/b/a/b/…`), bottomless folders, faceted searches. Real pages rarely look so; a crawl without this guard spends
 * its whole `maxNumFiles` there.
 */
export const linkTrapOf = (url: URL): LinkTrap | null => {
  const segments = url.pathname.split('/').filter((segment) => segment !== '');
  if (segments.length > MAX_SEGMENTS) return 'path_too_deep';
  if (url.searchParams.size > MAX_PARAMETERS) return 'too_many_parameters';
  const counts = new Map<string, number>();
  for (const segment of segments) {
    const count = (counts.get(segment) ?? 0) + 1;
    if (count > MAX_REPEATS) return 'repeated_segments';
    counts.set(segment, count);
  }
  return null;
};
