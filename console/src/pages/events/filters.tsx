import type { ReactNode } from 'react';
import type { EventSearch } from '../../router.tsx';
import { ActorId } from '../../ui/actor.tsx';
import { shown, spoken } from '../../ui/format.ts';
import { TimeField } from '../../ui/time-field.tsx';
import { words } from '../../words.ts';
import { nameOf, type SetFilter, whereOf, withoutValue } from './values.tsx';

const CATEGORIES = Object.entries(words.events.categories);

export const Filters = ({
  asked,
  set,
  children,
}: {
  readonly asked: EventSearch;
  readonly set: SetFilter;
  readonly children: ReactNode;
}) => (
  <div className="filters">
    <select
      aria-label={words.events.category}
      value={asked.category ?? ''}
      onChange={({ target }) => set({ category: target.value })}
    >
      <option value="">{words.events.allCategories}</option>
      {CATEGORIES.map(([category, label]) => (
        <option key={category} value={category}>
          {label}
        </option>
      ))}
    </select>
    <input
      type="search"
      aria-label={words.events.streamPrefix}
      placeholder={words.events.streamPrefix}
      key={asked.stream_prefix}
      defaultValue={asked.stream_prefix ?? ''}
      onBlur={({ target: { value } }) =>
        value !== (asked.stream_prefix ?? '') && set({ stream_prefix: value })
      }
      onKeyDown={({ key, currentTarget: { value } }) => key === 'Enter' && set({ stream_prefix: value })}
    />
    {(['from', 'to'] as const).map((end) => (
      <TimeField key={end} label={words.events[end]} value={asked[end]} change={(to) => set({ [end]: to })} />
    ))}
    {(['types', 'stream', 'actor', 'trace_id'] as const).map((name) => {
      const value = asked[name];
      if (value === undefined) return null;
      return (
        <button key={name} type="button" className="chip" onClick={() => set({ [name]: undefined })}>
          {name === 'types' ? spoken(value) : words.events.of[name]}{' '}
          {name === 'actor' ? <ActorId id={value} /> : name !== 'types' && value} ✕
        </button>
      );
    })}
    {Object.entries(whereOf(asked)).map(([pointer, value]) => (
      <button key={pointer} type="button" className="chip" onClick={() => set(withoutValue(asked, pointer))}>
        {nameOf(pointer)} {shown(value)} ✕
      </button>
    ))}
    <label className="check">
      <input
        type="checkbox"
        checked={asked.live !== undefined}
        onChange={({ target }) => set({ live: target.checked ? '1' : undefined })}
      />
      <span>{words.events.live}</span>
    </label>
    {children}
  </div>
);
