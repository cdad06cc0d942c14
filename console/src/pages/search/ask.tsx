import { Link } from '@tanstack/react-router';
import type { AgUiEvent } from 'knowledger-client';
import { useEffect, useRef, useState } from 'react';
import { useClient } from '../../session.ts';
import { Failure } from '../../ui/parts.tsx';
import { words } from '../../words.ts';
import { answerOf, AnswerText, type OpenContent } from './answer.tsx';

/** Asks, and shows the answer while it is written, with the contents that it cites. */
export const Answer = ({
  question,
  filter,
  open,
}: {
  readonly question: string;
  readonly filter: object;
  readonly open: OpenContent;
}) => {
  const over = useRef(new AbortController());
  const client = useClient();
  const [events, setEvents] = useState<readonly AgUiEvent[]>([]);
  const [thrown, setThrown] = useState<unknown>(null);
  const ask = async (): Promise<void> => {
    const { signal } = over.current;
    setEvents([]);
    setThrown(null);
    try {
      for await (const event of client.stream<AgUiEvent>('POST', '/completions', {
        body: { ...filter, stream: true, messages: [{ role: 'user', content: question }] },
        signal,
      }))
        setEvents((before) => [...before, event.data]);
    } catch (error) {
      if (!signal.aborted) setThrown(error);
    }
  };
  useEffect(() => {
    over.current = new AbortController();
    void ask();
    return () => over.current.abort();
  }, []);
  const { text, isOver, cited, conversation, failure = thrown } = answerOf(events);
  return (
    <section className="card answer" aria-live="polite" aria-busy={!isOver && failure === null}>
      <h2>{words.search.answer}</h2>
      <AnswerText text={text} cited={cited} open={open} />
      {failure !== null && <Failure error={failure} again={() => void ask()} />}
      {isOver && conversation !== undefined && (
        <Link to="/conversations/$id" params={{ id: conversation }}>
          {words.conversations.goOn}
        </Link>
      )}
    </section>
  );
};
