import { useMutation } from '@tanstack/react-query';
import type { RedactionRule, RedactionTestResult } from 'knowledger-client';
import { type ReactNode, useState } from 'react';
import { useClient } from '../../session.ts';
import { Failure } from '../../ui/parts.tsx';
import { words } from '../../words.ts';

const { redaction } = words.administration;

interface Asked {
  readonly rules: readonly RedactionRule[];
  readonly text: string;
}

/** Tries rules on a text as they are typed. */
export const RedactionTrial = ({ rules }: Pick<Asked, 'rules'>) => {
  const client = useClient();
  const [text, setText] = useState('');
  const test = useMutation({
    mutationFn: (body: Asked) => client.post('/redaction-policies/test', { body }),
  });
  const asked = test.variables;
  return (
    <fieldset className="field picker">
      <legend>{redaction.test}</legend>
      <div className="field">
        <label htmlFor="redaction-text">{redaction.text}</label>
        <textarea
          id="redaction-text"
          rows={4}
          maxLength={100_000}
          value={text}
          aria-describedby="redaction-text-hint"
          onChange={({ target }) => setText(target.value)}
        />
        <small id="redaction-text-hint">{redaction.testHint}</small>
      </div>
      <div className="actions">
        <button
          type="button"
          disabled={test.isPending || text === '' || rules.length === 0}
          onClick={({ currentTarget: { form } }) => {
            const typed = form!.querySelectorAll<HTMLInputElement>('.rule :is(input, select)');
            if ([...typed].every((field) => field.checkValidity())) test.mutate({ rules, text });
          }}
        >
          {redaction.try}
        </button>
      </div>
      {asked !== undefined && (asked.rules !== rules || asked.text !== text) && (
        <p className="faint">{words.create.olderValues}</p>
      )}
      {test.error !== null && <Failure error={test.error} />}
      {test.data !== undefined && asked !== undefined && (
        <div role="status" className="form">
          <p className="faint">{redaction.findings(test.data.findings.length)}</p>
          <p className="found">{marked(asked.text, test.data.findings)}</p>
          <strong>{redaction.result}</strong>
          <p className="found">{test.data.text}</p>
        </div>
      )}
    </fieldset>
  );
};

/** Offsets count UTF-16 units, as those of texts here do. */
const marked = (text: string, findings: RedactionTestResult['findings']): ReactNode => {
  const parts: ReactNode[] = [];
  let at = 0;
  for (const { rule, start, end } of findings.toSorted((one, other) => one.start - other.start)) {
    parts.push(
      text.slice(at, start),
      <mark key={start} title={rule}>
        {text.slice(Math.max(at, start), end)}
      </mark>,
    );
    at = Math.max(at, end);
  }
  return [...parts, text.slice(at)];
};
