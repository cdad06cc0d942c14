import { useNavigate, useSearch } from '@tanstack/react-router';

/** Instead of a moment: the time slider is open, and stands at its end. */
export const TODAY = 'today';

/** The search part of the address, whatever the page, and a way to change a part of it. */
export const useAddress = () => {
  const given = useSearch({ strict: false });
  // Of a page that is not named the router gives also what its own rules leave out.
  const asked: typeof given = textsIn(given);
  const navigate = useNavigate();
  const set = (change: Readonly<Record<string, string | undefined>>): void => {
    const search = (before: object) => ({ ...before, ...change });
    void navigate({ to: '.', search: search as never, replace: true });
  };
  return { asked, set };
};

/** What has a value. */
export const textsIn = (given: object): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(given).flatMap(([name, value]: readonly [string, unknown]) =>
      typeof value === 'string' && value !== '' ? [[name, value]] : [],
    ),
  );

/** The moment of a request; none where today is shown. */
export const pastOf = (moment: string | undefined): string | undefined =>
  moment === TODAY ? undefined : moment;
