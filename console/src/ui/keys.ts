import { useEffect, useRef } from 'react';

/** Whether a key is meant for a field, or is one of the browser's own. */
export const isTyping = ({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  ctrlKey ||
  metaKey ||
  altKey ||
  (target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input:not([type=checkbox]), textarea, select')));

/** Does something at a key while the page is open. */
export const useKey = (key: string, run: () => void): void => {
  const newest = useRef(run);
  newest.current = run;
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.key === key && !isTyping(event)) newest.current();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [key]);
};

/** What Escape closes, the innermost last. */
const closers: (() => void)[] = [];

const escaped = (event: KeyboardEvent): void => {
  if (event.key !== 'Escape' || event.isComposing) return;
  // A search field would empty itself, too.
  event.preventDefault();
  closers.at(-1)?.();
};

/** Closes something at Escape while it is open: of several the one that was opened last. Dialogs close themselves. */
export const useEscape = (close: () => void, isOpen = true): void => {
  const newest = useRef(close);
  newest.current = close;
  useEffect(() => {
    if (!isOpen) return;
    const closer = (): void => newest.current();
    if (closers.push(closer) === 1) addEventListener('keydown', escaped);
    return () => {
      closers.splice(closers.indexOf(closer), 1);
      if (closers.length === 0) removeEventListener('keydown', escaped);
    };
  }, [isOpen]);
};
