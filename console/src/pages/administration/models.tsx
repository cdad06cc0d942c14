import type { ServiceStatus } from 'knowledger-client';
import { useStatus } from '../../status.ts';
import { Card, Loaded } from '../../ui/parts.tsx';
import { words } from '../../words.ts';

const { models } = words.administration;
type Model = ServiceStatus['models'][number];
const USES = Object.keys(models.uses) as readonly Model['use'][];

/** What each use of a model has, or what it does without and which setting gives it one. */
const Models = () => (
  <Loaded query={useStatus()}>
    {(status) => (
      <>
        <p className="faint">{models.hint}</p>
        <div className="columns">
          {USES.map((use) => (
            <Use key={use} use={use} of={status.models.filter((model) => model.use === use)} />
          ))}
        </div>
      </>
    )}
  </Loaded>
);
export default Models;

const Use = ({ use, of }: { readonly use: Model['use']; readonly of: readonly Model[] }) => {
  const { title, does, without, settings } = models.uses[use];
  const isMissing = of.length === 0;
  return (
    <Card
      title={
        <span className="with-state">
          {title}
          <span className={`status ${isMissing ? '' : 'status-success'}`}>
            {isMissing ? models.missing : models.ready}
          </span>
        </span>
      }
    >
      <p className="faint">{does}</p>
      {isMissing ? (
        <>
          <p>{without}</p>
          <p>{models.add(settings.length)}</p>
          <ul className="settings">
            {settings.map((setting) => (
              <li key={setting}>
                <code>{setting}</code>
              </li>
            ))}
          </ul>
        </>
      ) : (
        <ul className="list">
          {of.map(({ provider, model, chosen_by: chosenBy }) => (
            <li key={`${provider} ${model} ${chosenBy}`}>
              <strong>{model ?? models.ofServer}</strong>
              {chosenBy !== undefined && <code className="faint">{chosenBy}</code>}
              <span className="faint">{models.providers[provider] ?? provider}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
};
