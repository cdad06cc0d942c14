import { useRouter } from '@tanstack/react-router';
import { useMay } from './may.tsx';
import { words } from './words.ts';

const PAGES = [
  { to: '/', label: words.pages.overview, key: '1' },
  { to: '/sources', label: words.pages.sources, key: '2' },
  { to: '/problems', label: words.pages.problems, key: '3' },
  { to: '/search', label: words.pages.search, key: '4' },
  { to: '/events', label: words.pages.events, key: '5' },
  { to: '/agents', label: words.pages.agents, key: '6' },
  { to: '/administration', label: words.pages.administration, key: '7' },
] as const;

/** The pages that the caller may see. */
export const usePages = () => {
  const may = useMay();
  const { routesByPath } = useRouter();
  return PAGES.filter(({ to }) => may(...(routesByPath[to].options.staticData?.needs ?? [])));
};
