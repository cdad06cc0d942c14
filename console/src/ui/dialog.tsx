import { Dialog as Base } from '@base-ui/react/dialog';
import { type ReactNode, useRef } from 'react';
import { words } from '../words.ts';

export const Dialog = ({
  title,
  close,
  wide = false,
  children,
}: {
  readonly title: ReactNode;
  readonly close: () => void;
  readonly wide?: boolean;
  readonly children: ReactNode;
}) => {
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Base.Root open onOpenChange={(open) => open || close()}>
      <Base.Portal>
        <Base.Backdrop className="backdrop" />
        <Base.Popup
          ref={popup}
          className={wide ? 'dialog wide' : 'dialog'}
          // The first field before the button that closes.
          initialFocus={() => popup.current?.querySelector<HTMLElement>('input, select, textarea') ?? true}
        >
          <div className="dialog-head">
            <Base.Title className="dialog-title">{title}</Base.Title>
            <Base.Close className="quiet" aria-label={words.actions.close}>
              ✕
            </Base.Close>
          </div>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
};

/** Asks before something goes that does not come back. */
export const Confirm = ({
  title,
  hint,
  action,
  run,
  close,
}: {
  readonly title: string;
  readonly hint: string;
  readonly action: string;
  readonly run: () => void;
  readonly close: () => void;
}) => (
  <Dialog title={title} close={close}>
    <p>{hint}</p>
    <div className="actions">
      <button type="button" onClick={close}>
        {words.actions.cancel}
      </button>
      <button
        type="button"
        className="danger"
        onClick={() => {
          run();
          close();
        }}
      >
        {action}
      </button>
    </div>
  </Dialog>
);
