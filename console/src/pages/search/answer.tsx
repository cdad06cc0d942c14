import { useQueries } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type AgUiEvent, type Content, KnowledgerError } from 'knowledger-client';
import type { ReactNode } from 'react';
import Markdown from 'react-markdown';
import { useClient } from '../../session.ts';
import { words } from '../../words.ts';
import { CITED, linkMarks } from './marks.ts';

export interface AnswerSoFar {
  readonly text: string;
  readonly isOver: boolean;
  readonly cited: readonly Content[];
  /** Ids, once the service has told them: of the conversation, the question in it and its answer. */
  readonly conversation?: string;
  readonly question?: string;
  readonly answer?: string;
  readonly failure?: KnowledgerError;
}

/** Why an answer that had begun failed. */
export const answerFailure = (code: string, message: string = code): KnowledgerError =>
  new KnowledgerError(words.agents.problems[code] ?? message, {
    status: 200,
    type: code,
    details: undefined,
    retryAfter: null,
  });

/** The text so far and, at its end, what it cites in the order of its marks. */
export const answerOf = (events: readonly AgUiEvent[]): AnswerSoFar => {
  let text = '';
  let ids: Pick<AnswerSoFar, 'conversation' | 'question' | 'answer'> = {};
  let failure: KnowledgerError | undefined;
  let cited: readonly Content[] = [];
  for (const event of events) {
    if (event.type === 'RUN_STARTED') {
      const {
        conversation_id: conversation,
        user_message_id: question,
        assistant_message_id: answer,
      } = event.metadata;
      ids = { conversation, question, answer };
    }
    if (event.type === 'TEXT_MESSAGE_CONTENT') text += event.delta;
    if (event.type === 'RUN_ERROR') failure = answerFailure(event.code, event.message);
    if (event.type === 'CUSTOM' && 'choices' in event.value) cited = event.value.choices[0]?.citations ?? [];
  }
  const last = events.at(-1)?.type;
  const isOver = last === 'RUN_FINISHED' || last === 'RUN_ERROR';
  return { ...ids, text, isOver, cited, ...(failure !== undefined && { failure }) };
};

/** An answer as Markdown, in which HTML is text, and what its marks cite: number n is at place n - 1. */
export const AnswerText = ({
  text,
  cited,
  open,
}: {
  readonly text: string;
  /** Undefined where it is not read yet, or gone. */
  readonly cited: readonly (Content | undefined)[];
  readonly open?: OpenContent | undefined;
}) => {
  const show = useOpen(open);
  const known = cited.flatMap((content, i) => (content === undefined ? [] : [{ content, number: i + 1 }]));
  return (
    <>
      <div
        className="answer-text"
        onClick={(event) => {
          const number = markOf(event.target);
          if (number === undefined) return;
          event.preventDefault();
          const content = cited[number - 1];
          if (content !== undefined) show(content);
        }}
      >
        <Markdown rehypePlugins={[linkMarks((number) => cited[number - 1]?.source_id !== undefined)]}>
          {text}
        </Markdown>
      </div>
      {known.length > 0 && (
        <>
          <p className="faint">{words.search.cited}</p>
          <ol className="list">
            {known.map(({ content, number }) => (
              <li key={content.id} className="cited">
                <span className="faint">[{number}]</span>
                <Place content={content} open={open}>
                  {content.title || content.url}
                </Place>
                <small className="faint">
                  {content.page_number > 0 && `${words.search.page(content.page_number)}: `}
                  {excerptOf(content.text)}
                </small>
              </li>
            ))}
          </ol>
        </>
      )}
    </>
  );
};

/** The number of the mark that was clicked; undefined: none was. */
const markOf = (target: EventTarget): number | undefined => {
  const link = target instanceof Element ? target.closest(`a[href^="${CITED}"]`) : null;
  return link === null ? undefined : Number(link.getAttribute('href')!.slice(CITED.length));
};

const EXCERPT = 140;
const excerptOf = (text: string): string => (text.length > EXCERPT ? `${text.slice(0, EXCERPT)} …` : text);

/** A finished answer: what it cites is read by its ids, at the places of its marks. */
export const Answered = ({
  text,
  ids,
  open,
}: {
  readonly text: string;
  readonly ids: readonly (string | undefined)[];
  readonly open?: OpenContent;
}) => {
  const client = useClient();
  const contents = useQueries({
    queries: ids.map((id) => ({
      queryKey: ['static', 'content', id],
      enabled: id !== undefined,
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        client.get('/contents/{id}', { path: { id: id! }, signal }),
    })),
  });
  return <AnswerText text={text} cited={contents.map(({ data }) => data)} open={open} />;
};

export type OpenContent = (content: Content) => void;

/** Opens a content in its document: beside what is on the page, or else on the page of its source. */
const useOpen = (open: OpenContent | undefined): OpenContent => {
  const client = useClient();
  const navigate = useNavigate();
  const openPage = async (content: Content): Promise<void> => {
    const { source_group_id: id, source_type: type } = await client.get('/sources/{id}', {
      path: { id: content.source_id! },
    });
    await navigate({
      to: '/sources/$type/$id',
      params: { type, id },
      search: { tab: 'documents', document: content.source_id!, passage: content.id },
    });
  };
  return open ?? ((content) => void openPage(content));
};

/** Leads to a content in its document. */
export const Place = ({
  content,
  open,
  children,
}: {
  readonly content: Content;
  readonly open?: OpenContent | undefined;
  readonly children: ReactNode;
}) => {
  const show = useOpen(open);
  if (content.source_id === undefined) return children;
  return (
    <button type="button" className="link" onClick={() => show(content)}>
      {children}
    </button>
  );
};
