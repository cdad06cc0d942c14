import { Copy } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useUnsaved } from '../../ui/unsaved.tsx';
import { words } from '../../words.ts';

/** A value that the service tells this once: it asks before it is closed, until the value was copied. */
export const ShownOnce = ({
  title,
  value,
  hint,
  unseen,
  close,
}: {
  readonly title: string;
  /** Undefined where it had been told before. */
  readonly value: string | undefined;
  readonly hint: string;
  /** What to do where it had been. */
  readonly unseen: string;
  readonly close: () => void;
}) => {
  const { saved, leave, question } = useUnsaved(value !== undefined, words.administration.uncopied);
  return (
    <Dialog title={title} close={() => leave(close)} wide>
      {value === undefined ? (
        <p>{unseen}</p>
      ) : (
        <>
          <p role="status">{hint}</p>
          <pre className="json" onCopy={saved}>
            {value}
          </pre>
          <div className="actions" onCopy={saved}>
            <Copy text={value} copied={saved} />
          </div>
        </>
      )}
      {question}
    </Dialog>
  );
};
