import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { AgUiEvent, CompletionCreate } from 'knowledger-client';
import { useEffect, useRef, useState } from 'react';
import { useClient } from '../../session.ts';
import { Confirm } from '../../ui/dialog.tsx';
import { textIn } from '../../ui/forms.ts';
import { History, HistoryButton } from '../../ui/history.tsx';
import { Failure, isNotFound, Loaded, Page, Time } from '../../ui/parts.tsx';
import { words } from '../../words.ts';
import { answerFailure, Answered, answerOf, AnswerText, type OpenContent } from '../search/answer.tsx';
import { Beside } from '../search/beside.tsx';
import { pathOf, pathTo, type Shown } from './path.ts';

type Body = Omit<CompletionCreate, 'messages' | 'conversation_id' | 'stream'>;
interface Asking {
  /** Shown until the conversation has it; none where an answer is made anew. */
  readonly question?: string;
  /** The message that it follows. Those behind it are of another branch, or will be what is being asked. */
  readonly parent: string | null;
  readonly events: readonly AgUiEvent[];
}

/** One branch of a conversation at a time. A question that is edited, or an answer made anew, begins another one. */
export const ConversationPage = () => {
  const { id } = useParams({ from: '/conversations/$id' });
  const { at, document, passage } = useSearch({ from: '/conversations/$id' });
  const client = useClient();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<ReadonlyMap<string | null, string>>(new Map());
  const [asking, setAsking] = useState<Asking | null>(null);
  const [failure, setFailure] = useState<{ readonly error: unknown; readonly again: () => void } | null>(
    null,
  );
  const [asks, setAsks] = useState(false);
  const erase = useMutation({
    mutationFn: () => client.delete('/conversations/{id}', { path: { id } }),
    onSuccess: () => navigate({ to: '/conversations' }),
  });
  const conversation = useQuery({
    queryKey: ['conversation', id],
    // One that is deleted is not asked for while the page goes.
    enabled: !erase.isPending && !erase.isSuccess,
    queryFn: ({ signal }) => client.get('/conversations/{id}', { path: { id }, signal }),
  });
  const beside = (search: { readonly document?: string; readonly passage?: string }): void =>
    void navigate({ to: '/conversations/$id', params: { id }, search });
  const open: OpenContent = ({ id: content, source_id: source }) =>
    beside({ ...(source !== undefined && { document: source, passage: content }) });
  const first = conversation.data?.messages.find(({ parent_id: parent }) => parent === null);
  const ask = async (content: string, body: Body): Promise<void> => {
    const isAgain = body.regenerate === true;
    let events: readonly AgUiEvent[] = [];
    const show = (): void =>
      setAsking({ ...(!isAgain && { question: content }), parent: body.parent_message_id ?? null, events });
    setFailure(null);
    show();
    try {
      const messages = [{ role: 'user', content }];
      const whole = { ...body, messages, conversation_id: id, stream: true };
      for await (const { data } of client.stream<AgUiEvent>('POST', '/completions', { body: whole })) {
        events = [...events, data];
        show();
      }
      const { question, answer } = answerOf(events);
      if (question !== undefined && answer !== undefined)
        setChosen((before) => {
          const next = new Map(before).set(question, answer);
          return isAgain ? next : next.set(body.parent_message_id ?? null, question);
        });
    } catch (error) {
      setFailure({ error, again: () => void ask(content, body) });
    }
    await queries.invalidateQueries({ queryKey: ['conversation', id] });
    setAsking(null);
  };
  return (
    <Page
      title={
        <>
          <Link to="/conversations" className="crumb">
            {words.pages.conversations}
          </Link>
          {first?.content ?? words.conversations.one}
        </>
      }
      actions={
        !isNotFound(conversation.error) && (
          <>
            {document === undefined && <HistoryButton />}
            <button type="button" className="danger" onClick={() => setAsks(true)}>
              {words.actions.delete}
            </button>
          </>
        )
      }
    >
      {asks && (
        <Confirm
          title={words.conversations.confirmDelete}
          hint={words.conversations.deleteHint}
          action={words.actions.delete}
          run={() => erase.mutate()}
          close={() => setAsks(false)}
        />
      )}
      {(at !== undefined && document === undefined) || isNotFound(conversation.error) ? (
        <History path="/conversations/{id}" id={id} />
      ) : (
        <Loaded query={conversation}>
          {({ messages }) => {
            const path = pathOf(messages, chosen);
            const last = path.at(-1)?.message.id;
            const shown = asking === null ? path : pathTo(asking.parent, path);
            return (
              <div className={document === undefined ? undefined : 'search-columns open'}>
                <section className="talk-column">
                  <ol className="talk">
                    {shown.map((one) => (
                      <Message
                        key={one.message.id}
                        {...one}
                        isBusy={asking !== null}
                        open={open}
                        choose={(to) => setChosen(new Map(chosen).set(one.message.parent_id, to))}
                        ask={(content, body) => void ask(content, body)}
                      />
                    ))}
                    {asking !== null && <Underway {...asking} open={open} />}
                  </ol>
                  {failure !== null && <Failure {...failure} />}
                  <form
                    className="search-box"
                    onSubmit={(event) => {
                      event.preventDefault();
                      const form = event.currentTarget;
                      const content = textIn(form, 'question').trim();
                      if (content === '') return;
                      form.reset();
                      void ask(content, last === undefined ? {} : { parent_message_id: last });
                    }}
                  >
                    <input
                      name="question"
                      aria-label={words.conversations.next}
                      placeholder={words.conversations.next}
                    />
                    <button type="submit" className="main" disabled={asking !== null}>
                      {words.search.ask}
                    </button>
                  </form>
                </section>
                {document !== undefined && (
                  <Beside document={document} passage={passage} close={() => beside({})} />
                )}
              </div>
            );
          }}
        </Loaded>
      )}
    </Page>
  );
};

const Underway = ({
  question,
  events,
  open,
}: Pick<Asking, 'question' | 'events'> & { readonly open: OpenContent }) => {
  const { text, cited } = answerOf(events);
  const begin = useRef<HTMLLIElement>(null);
  useEffect(() => {
    begin.current?.scrollIntoView();
  }, []);
  return (
    <>
      {question !== undefined && (
        <li className="talk-user" ref={begin}>
          <p>{question}</p>
        </li>
      )}
      <li
        className="talk-assistant"
        ref={question === undefined ? begin : undefined}
        aria-live="polite"
        aria-busy="true"
      >
        <AnswerText text={text} cited={cited} open={open} />
      </li>
    </>
  );
};

const Message = ({
  message,
  siblings,
  isBusy,
  open,
  choose,
  ask,
}: Shown & {
  readonly isBusy: boolean;
  readonly open: OpenContent;
  readonly choose: (id: string) => void;
  readonly ask: (content: string, body: Body) => void;
}) => {
  const [edits, setEdits] = useState(false);
  const { id, role, content = '', parent_id: parent, creation_time: at, status, error_code: code } = message;
  const again = (): void => ask('', { parent_message_id: parent, regenerate: true });
  const index = siblings.indexOf(id);
  return (
    <li className={`talk-${role}`}>
      {edits ? (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            setEdits(false);
            ask(textIn(event.currentTarget, 'content'), { parent_message_id: parent });
          }}
        >
          <textarea
            name="content"
            rows={3}
            autoFocus
            defaultValue={content}
            // As in the field below: Shift begins a line.
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
              event.preventDefault();
              event.currentTarget.form?.requestSubmit();
            }}
            aria-label={words.conversations.edit}
            required
          />
          <div className="actions">
            <button type="submit" className="main">
              {words.search.ask}
            </button>
            <button type="button" onClick={() => setEdits(false)}>
              {words.actions.cancel}
            </button>
          </div>
        </form>
      ) : role === 'user' ? (
        <p>{content}</p>
      ) : (
        <Answered text={content} ids={message.cited_content_ids ?? []} open={open} />
      )}
      {status === 'failed' && (
        <Failure error={answerFailure(code ?? 'internal_error')} {...(!isBusy && { again })} />
      )}
      <div className="talk-foot faint">
        <Time at={at} />
        {siblings.length > 1 && (
          <span className="actions">
            <button
              type="button"
              className="quiet"
              aria-label={words.conversations.before}
              disabled={index === 0}
              onClick={() => choose(siblings[index - 1]!)}
            >
              ‹
            </button>
            {words.conversations.of(index + 1, siblings.length)}
            <button
              type="button"
              className="quiet"
              aria-label={words.conversations.after}
              disabled={index === siblings.length - 1}
              onClick={() => choose(siblings[index + 1]!)}
            >
              ›
            </button>
          </span>
        )}
        {role === 'user' && !edits && (
          <button type="button" className="quiet" disabled={isBusy} onClick={() => setEdits(true)}>
            {words.conversations.edit}
          </button>
        )}
        {role === 'assistant' && status !== 'failed' && (
          <button type="button" className="quiet" disabled={isBusy} onClick={again}>
            {words.conversations.again}
          </button>
        )}
      </div>
    </li>
  );
};
