import { useNavigate } from '@tanstack/react-router';
import { type AgUiEvent, type Content, KnowledgerError } from 'knowledger-client';
import type { ReactNode } from 'react';
import Markdown from 'react-markdown';
import { useClient } from '../../session.ts';
import { words } from '../../words.ts';

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

/** An answer as Markdown, in which HTML is text, with what it cites in the order of its marks. */
export const AnswerText = ({
  text,
  cited,
  open,
}: {
  readonly text: string;
  readonly cited: readonly Content[];
  readonly open?: OpenContent;
}) => (
  <>
    <div className="answer-text">
      <Markdown>{text}</Markdown>
    </div>
    {cited.length > 0 && (
      <>
        <p className="faint">{words.search.cited}</p>
        <ol className="list">
          {cited.map((content, i) => (
            <li key={content.id}>
              <span className="faint">[{i + 1}]</span>
              <Place content={content} open={open}>
                {content.title || content.url}
              </Place>
            </li>
          ))}
        </ol>
      </>
    )}
  </>
);

export type OpenContent = (content: Content) => void;

/** Leads to a content in its document: beside what is on the page, or else on the page of its source. */
export const Place = ({
  content,
  open,
  children,
}: {
  readonly content: Content;
  readonly open?: OpenContent | undefined;
  readonly children: ReactNode;
}) => {
  const client = useClient();
  const navigate = useNavigate();
  const openPage = async (): Promise<void> => {
    const { source_group_id: id, source_type: type } = await client.get('/sources/{id}', {
      path: { id: content.source_id! },
    });
    await navigate({
      to: '/sources/$type/$id',
      params: { type, id },
      search: { tab: 'documents', document: content.source_id!, passage: content.id },
    });
  };
  if (content.source_id === undefined) return children;
  return (
    <button
      type="button"
      className="link"
      onClick={() => (open === undefined ? void openPage() : open(content))}
    >
      {children}
    </button>
  );
};
