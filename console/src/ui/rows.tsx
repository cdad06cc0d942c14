import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useRef } from 'react';
import { words } from '../words.ts';
import { isTyping } from './keys.ts';
import type { Since } from './since.ts';

export interface Column<Row> {
  readonly title: string;
  /** Whether only readers of the screen hear the title. */
  readonly isUntitled?: boolean;
  /** Of the grid: such as `2fr` or `8rem`. */
  readonly width: string;
  readonly cell: (row: Row) => ReactNode;
  /** Hidden on a narrow screen. */
  readonly isExtra?: boolean;
  readonly isNumber?: boolean;
  /** The orders of the API that this column stands for, one after the other; then that of the list itself. */
  readonly sorts?: readonly { readonly by: string; readonly direction: 'ascending' | 'descending' }[];
}

const HEIGHT = 44;
const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };
const estimateSize = (): number => HEIGHT;

/**
 * A table of any length, of which only what is on the screen is drawn. `more` is asked for when the end comes near.
 * `j` enters it from anywhere on the page; there `j`, `k` and the arrows move through the rows, and Enter opens one.
 */
export function Rows<Row>({
  label,
  rows,
  columns,
  keyOf,
  open,
  more,
  marked,
  since,
  sort,
  below,
}: {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  readonly open?: (row: Row) => void;
  readonly more?: (() => void) | undefined;
  readonly marked?: string | undefined;
  /** What became of a row that is shown as of a moment. */
  readonly since?: ((row: Row) => Since) | undefined;
  /** The order of the rows, and what asks for another. */
  readonly sort?: { readonly by: string; readonly change: (by: string | undefined) => void } | undefined;
  /** What each row shows below its cells; rows are then as high as they need. */
  readonly below?: ((row: Row) => ReactNode) | undefined;
}) {
  const box = useRef<HTMLDivElement>(null);
  // Another function would have every row measured again, in each frame.
  const getItemKey = useCallback((index: number) => keyOf(rows[index]!), [rows]);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize,
    overscan: 12,
    getItemKey,
  });
  const isUnfolded = below !== undefined;
  useEffect(() => virtual.measure(), [isUnfolded]);
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= rows.length - 20) more?.();
  }, [last, rows.length, more]);
  const place = marked === undefined ? -1 : rows.findIndex((row) => keyOf(row) === marked);
  useEffect(() => {
    if (place >= 0) virtual.scrollToIndex(place);
    // Where it is marked, not wherever rows before it move it to.
  }, [marked, place >= 0]);
  const template = { gridTemplateColumns: columns.map(({ width }) => width).join(' ') };
  const focus = (to: number): void => {
    virtual.scrollToIndex(to);
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>(`[data-index="${to}"]`)?.focus());
  };
  const enter = useRef(focus);
  enter.current = focus;
  // From anywhere on the page the first of its tables is entered.
  useEffect(() => {
    const pressed = (event: globalThis.KeyboardEvent): void => {
      if (event.key !== 'j' || event.defaultPrevented || isTyping(event)) return;
      if (event.target instanceof Element && event.target.closest('.rows-body, [role=dialog], [role=tree]'))
        return;
      if (rows.length === 0 || document.querySelector('.rows-body') !== box.current) return;
      event.preventDefault();
      enter.current(Math.max(0, place));
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [rows.length, place]);
  const move = (event: KeyboardEvent<HTMLDivElement>, index: number): void => {
    const step = isTyping(event.nativeEvent) ? undefined : STEPS[event.key];
    if (event.key === 'Enter' && event.target === event.currentTarget) open?.(rows[index]!);
    if (step === undefined || index + step < 0 || index + step >= rows.length) return;
    event.preventDefault();
    focus(index + step);
  };
  /** Where no column is the order, the first that can be says which is. */
  const ordersAll = columns.some(({ sorts }) => sorts?.some(({ by }) => by === sort?.by))
    ? undefined
    : columns.find(({ sorts }) => sorts !== undefined);
  const classOf = ({ isExtra, isNumber }: Column<Row>): string =>
    ['cell', ...(isExtra ? ['extra'] : []), ...(isNumber ? ['number'] : [])].join(' ');
  return (
    <div className="rows" role="table" aria-label={label} aria-rowcount={rows.length + 1}>
      <div className="rows-head" role="rowgroup">
        <div className="row" role="row" style={template}>
          {columns.map((column) => (
            <Head
              key={column.title}
              column={column}
              className={classOf(column)}
              sort={sort}
              isUnsorted={column === ordersAll}
            />
          ))}
        </div>
      </div>
      <div className="rows-body" role="rowgroup" ref={box} tabIndex={-1}>
        <div style={{ height: virtual.getTotalSize(), position: 'relative' }} role="presentation">
          {items.map(({ index, key, start }) => {
            const row = rows[index]!;
            const became = since?.(row);
            return (
              <div
                key={key}
                role="row"
                aria-rowindex={index + 2}
                data-index={index}
                ref={isUnfolded ? virtual.measureElement : undefined}
                tabIndex={0}
                className={`row${open === undefined ? '' : ' opens'}${marked === keyOf(row) ? ' marked' : ''}${became === undefined ? '' : ` ${became}`}`}
                style={{
                  ...template,
                  position: 'absolute',
                  inset: `${start}px 0 auto 0`,
                  [isUnfolded ? 'minHeight' : 'height']: HEIGHT,
                }}
                onClick={() => open?.(row)}
                onKeyDown={(event) => move(event, index)}
              >
                {columns.map((column, i) => (
                  <div key={column.title} role="cell" className={classOf(column)}>
                    {i === 0 && became !== undefined && (
                      <span className={`status status-${became === 'deleted' ? 'deleting' : 'queued'}`}>
                        {words.history[became]}
                      </span>
                    )}
                    {column.cell(row)}
                  </div>
                ))}
                {isUnfolded && (
                  <div role="cell" className="below">
                    {below(row)}
                  </div>
                )}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

function Head<Row>({
  column: { title, isUntitled, sorts = [] },
  className,
  sort,
  isUnsorted,
}: {
  readonly column: Column<Row>;
  readonly isUnsorted: boolean;
  readonly className: string;
  readonly sort: { readonly by: string; readonly change: (by: string | undefined) => void } | undefined;
}) {
  const index = sorts.findIndex(({ by }) => by === sort?.by);
  const direction = sorts[index]?.direction;
  return (
    <div role="columnheader" className={className} aria-sort={direction}>
      {sort !== undefined && sorts.length > 0 ? (
        <button type="button" className="sort" onClick={() => sort.change(sorts[index + 1]?.by)}>
          {title}
          <span aria-hidden="true">
            {direction === undefined ? '↕' : direction === 'ascending' ? '↑' : '↓'}
          </span>
          {isUnsorted && <span className="order">{words.list.newest}</span>}
        </button>
      ) : (
        <span className={isUntitled ? 'unseen' : ''}>{title}</span>
      )}
    </div>
  );
}
