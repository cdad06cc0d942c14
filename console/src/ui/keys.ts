import { useEffect, useRef } from 'react';

/** Whether a key is meant for a field, or is one of the browser's own. */
export const isTyping = ({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  ctrlKey ||
  metaKey ||
  altKey ||
  (target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input:not([type=checkbox]), textarea, select')));

/** Does something at a key while the page is open; at Escape also from a field. */
export const useKey = (key: string, run: () => void): void => {
  const newest = useRef(run);
  newest.current = run;
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.key === key && (key === 'Escape' || !isTyping(event))) newest.current();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [key]);
};
