import { useNavigate, useSearch } from '@tanstack/react-router';

/** Instead of a moment: the time slider is open, and stands at its end. */
export const TODAY = 'today';

/** The search part of the address, whatever the page, and a way to change a part of it. */
export const useAddress = () => {
  const asked = useSearch({ strict: false });
  const navigate = useNavigate();
  const set = (change: Readonly<Record<string, string | undefined>>): void => {
    const search = (before: object) => ({ ...before, ...change });
    void navigate({ to: '.', search: search as never, replace: true });
  };
  return { asked, set };
};

/** The moment of a request; none where today is shown. */
export const pastOf = (moment: string | undefined): string | undefined =>
  moment === TODAY ? undefined : moment;
