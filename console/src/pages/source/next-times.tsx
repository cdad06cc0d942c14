import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { KnowledgerError } from 'knowledger-client';
import { useEffect, useState } from 'react';
import { useClient } from '../../session.ts';
import { Time } from '../../ui/parts.tsx';
import { words } from '../../words.ts';

/** A rule is asked about once nothing more has been typed for so long. */
const SETTLE_MS = 300;

/** When a rule that is typed would fire, or why it is refused. */
export const NextTimes = ({ rrule }: { readonly rrule: unknown }) => {
  const client = useClient();
  const typed = typeof rrule === 'string' ? rrule.trim() : '';
  const [rule, setRule] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setRule(typed), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const { data, error } = useQuery({
    queryKey: ['static', 'preview', rule],
    enabled: rule !== '',
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      client.get('/schedule/occurrences', { query: { rrule: rule, limit: 5 }, signal }),
  });
  if (typed === '') return null;
  if (error instanceof KnowledgerError) return <span className="reason">{error.message}</span>;
  return (
    <p className="faint next-times" aria-live="polite">
      {words.source.next}:{' '}
      {data?.occurrences.map((at) => (
        <Time key={at} at={at} exact />
      ))}
    </p>
  );
};
