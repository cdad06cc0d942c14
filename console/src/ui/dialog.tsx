import { Dialog as Base } from '@base-ui/react/dialog';
import { type ReactNode, useCallback, useRef } from 'react';
import { words } from '../words.ts';

const isReady = (popup: HTMLElement): boolean => popup.querySelector('.loading') === null;
const firstField = (popup: HTMLElement): HTMLElement | null =>
  popup.querySelector(':is(input, select, textarea):enabled');

/** Above the page. The focus goes to the first field of its form, else to its first button. */
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
  const popup = useRef<HTMLDivElement>(undefined);
  const mounted = useCallback((current: HTMLDivElement): (() => void) => {
    popup.current = current;
    // The form comes once its rules are read: until then the dialog itself has the focus.
    const waiting = new MutationObserver(() => {
      if (!isReady(current)) return;
      waiting.disconnect();
      if (document.activeElement === current) firstField(current)?.focus();
    });
    if (!isReady(current)) waiting.observe(current, { childList: true, subtree: true });
    return () => waiting.disconnect();
  }, []);
  return (
    <Base.Root open onOpenChange={(open) => open || close()}>
      <Base.Portal>
        <Base.Backdrop className="backdrop" />
        <Base.Popup
          ref={mounted}
          className={wide ? 'dialog wide' : 'dialog'}
          initialFocus={() => {
            const current = popup.current!;
            return isReady(current) ? (firstField(current) ?? true) : current;
          }}
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
