const NAME = 'knowledger-theme';
export type Theme = 'system' | 'light' | 'dark';
const ORDER: readonly Theme[] = ['system', 'light', 'dark'];

export const theme = (): Theme => {
  const kept = localStorage.getItem(NAME);
  return kept === 'light' || kept === 'dark' ? kept : 'system';
};

const apply = (to: Theme): void => {
  document.documentElement.dataset['theme'] = to;
};

/** The next of system, light and dark. */
export const nextTheme = (): Theme => {
  const next = ORDER[(ORDER.indexOf(theme()) + 1) % ORDER.length]!;
  localStorage.setItem(NAME, next);
  apply(next);
  return next;
};

apply(theme());
