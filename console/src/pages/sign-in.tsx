import { useQuery } from '@tanstack/react-query';
import { type SubmitEvent, useRef, useState } from 'react';
import { textIn } from '../ui/forms.ts';
import { askForIssuer, goToIssuer } from '../issuer.ts';
import { howItStarted, lastRefusal, signIn } from '../session.ts';
import { Failure } from '../ui/parts.tsx';
import { words } from '../words.ts';

export const SignIn = () => {
  const [failure, setFailure] = useState<unknown>(null);
  const form = useRef<HTMLFormElement>(null);
  const asked = useQuery({ queryKey: ['static', 'issuer'], queryFn: askForIssuer });
  const issuer = asked.data ?? null;
  const refusal = lastRefusal();
  const [isRefused, setRefused] = useState(howItStarted() === 'refused');
  const submit = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    setFailure(null);
    try {
      const key = textIn(event.currentTarget, 'key').trim();
      setRefused(!(await signIn(key, { keep: given.get('keep') !== null })));
    } catch (error) {
      setFailure(error);
    }
  };
  return (
    <main className="sign-in">
      <form ref={form} className="card" onSubmit={(event) => void submit(event)}>
        <div className="brand">
          <span className="brand-mark" aria-hidden="true" />
          {words.product}
        </div>
        <h1>{words.signIn.title}</h1>
        {howItStarted() === 'ended' && !isRefused && (
          <p className="failure partial" role="alert">
            {words.signIn.ended}
          </p>
        )}
        {refusal !== null && (
          <p className="failure" role="alert">
            {words.signIn.notBack(refusal instanceof Error ? refusal.message : '')}
          </p>
        )}
        {issuer !== null && (
          <button
            type="button"
            className="main"
            onClick={() => {
              const keep = new FormData(form.current!).get('keep') !== null;
              goToIssuer(issuer, keep).catch(setFailure);
            }}
          >
            {words.signIn.at(new URL(issuer.issuer).host)}
          </button>
        )}
        {asked.isError && <Failure error={asked.error} again={() => void asked.refetch()} />}
        <label className="field">
          <span>{words.signIn.key}</span>
          <input
            name="key"
            type="password"
            autoComplete="current-password"
            required
            autoFocus
            aria-describedby="key-hint"
          />
          <small id="key-hint">{words.signIn.hint}</small>
        </label>
        <label className="check">
          <input name="keep" type="checkbox" aria-describedby="keep-hint" />
          <span>{words.signIn.keep}</span>
        </label>
        <small id="keep-hint">{words.signIn.keepHint}</small>
        {isRefused && (
          <p className="failure" role="alert">
            {words.signIn.refused}
          </p>
        )}
        {failure !== null && <Failure error={failure} />}
        <button type="submit" className={issuer === null ? 'main' : undefined}>
          {words.actions.signIn}
        </button>
      </form>
    </main>
  );
};
