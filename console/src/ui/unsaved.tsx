import { useBlocker } from '@tanstack/react-router';
import { useCallback, useRef, useState } from 'react';
import { Confirm } from './dialog.tsx';

/**
 * Asks before something is lost that was typed, or is shown this once: when another page is opened, the tab is closed,
 * or what holds it is.
 */
export const useUnsaved = (
  isUnsaved: boolean,
  words: { readonly title: string; readonly hint: string; readonly action: string },
) => {
  const newest = useRef(isUnsaved);
  newest.current = isUnsaved;
  /** Ahead of what is shown. */
  const isDone = useRef(false);
  const isKept = useCallback(() => newest.current && !isDone.current, []);
  const page = useBlocker({ shouldBlockFn: isKept, enableBeforeUnload: isKept, withResolver: true });
  const [close, setClose] = useState<(() => void) | null>(null);
  return {
    saved: (): void => {
      isDone.current = true;
    },
    /** Closes what holds it, once nothing is lost or somebody has agreed. */
    leave: (run: () => void): void => {
      if (isKept()) setClose(() => run);
      else run();
    },
    question: (page.status === 'blocked' || close !== null) && (
      <Confirm
        {...words}
        run={() => {
          isDone.current = true;
          if (close === null) page.proceed?.();
          else close();
        }}
        close={() => {
          page.reset?.();
          setClose(null);
        }}
      />
    ),
  };
};
