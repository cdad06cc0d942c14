import { type ReactNode, useEffect, useState } from 'react';
import { words } from '../words.ts';

/** A moment is kept for so long before the page reads it, so that a drag does not read each one that it passes. */
const SETTLE_MS = 120;

/** Chooses a moment. Its last stop is today. */
export const TimeSlider = ({
  max,
  step = 1,
  value,
  label,
  text,
  change,
}: {
  /** The stop of today. The first one is 0. */
  readonly max: number;
  readonly step?: number;
  readonly value: number;
  /** Of a stop; that of today has words already. */
  readonly label: (value: number) => ReactNode;
  /** As `label`, for readers of the screen. */
  readonly text: (value: number) => string;
  readonly change: (value: number) => void;
}) => {
  const [held, setHeld] = useState<number | null>(null);
  useEffect(() => setHeld(null), [value]);
  useEffect(() => {
    if (held === null || held === value) return;
    const timer = setTimeout(() => change(held), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [held, value, change]);
  const shown = held ?? value;
  return (
    <div className="slider">
      <span>
        {shown === max ? words.history.asToday : words.history.asOf} {label(shown)}
      </span>
      <input
        type="range"
        aria-label={words.history.asOf}
        min={0}
        max={max}
        step={step}
        value={shown}
        aria-valuetext={text(shown)}
        onChange={({ target }) => setHeld(Number(target.value))}
      />
      <button type="button" disabled={shown === max} onClick={() => change(max)}>
        {words.history.backToToday}
      </button>
    </div>
  );
};
