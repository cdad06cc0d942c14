import { type SubmitEvent, useState } from 'react';
import { textIn } from '../ui/forms.ts';
import { signIn } from '../session.ts';
import { Failure } from '../ui/parts.tsx';
import { words } from '../words.ts';

export const SignIn = () => {
  const [failure, setFailure] = useState<unknown>(null);
  const [isRefused, setRefused] = useState(false);
  const submit = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setFailure(null);
    try {
      const key = textIn(event.currentTarget, 'key').trim();
      setRefused(!(await signIn(key, { keep: form.get('keep') !== null })));
    } catch (error) {
      setFailure(error);
    }
  };
  return (
    <main className="sign-in">
      <form className="card" onSubmit={(event) => void submit(event)}>
        <div className="brand">
          <span className="brand-mark" aria-hidden="true" />
          {words.product}
        </div>
        <h1>{words.signIn.title}</h1>
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
        <button type="submit" className="main">
          {words.actions.signIn}
        </button>
      </form>
    </main>
  );
};
