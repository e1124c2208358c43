import type { LucideIcon } from 'lucide-react';
import { Circle } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Tone } from '../controls/badge.tsx';
import { classNames } from '../controls/class-names.ts';
import { dateOf, formatTime, type Moment } from '../formats/time.ts';
import { Time } from '../controls/time.tsx';
import styles from './timeline.module.css';

export type TimelineItem = {
  readonly id: string | number;
  readonly at: Moment;
  readonly title: ReactNode;
  readonly icon?: LucideIcon | undefined;
  readonly tone?: Tone | undefined;
  /** Details about the item. */
  readonly children?: ReactNode;
};

export type TimelineProps = {
  /** The items in display order. */
  readonly items: readonly TimelineItem[];
  readonly label: string;
};

/** Shows events in order, with a heading for each day in the page's time zone. */
export function Timeline({ items, label }: TimelineProps) {
  return (
    <div className={styles.timeline} role="group" aria-label={label}>
      {byDay(items).map(({ day, items: ofDay }, at, days) => (
        <section key={`${day} ${ofDay[0]?.id ?? at}`}>
          <h3 className={styles.day}>{day}</h3>
          <ol className={styles.list}>
            {ofDay.map((item, within) => (
              <Item key={item.id} item={item} last={at === days.length - 1 && within === ofDay.length - 1} />
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}

function Item({ item, last }: { readonly item: TimelineItem; readonly last: boolean }) {
  const { at, title, icon: Icon = Circle, tone = 'neutral', children } = item;
  return (
    <li className={classNames(styles.item, last && styles.last)}>
      <span className={classNames(styles.mark, styles[tone])}>
        <Icon aria-hidden />
      </span>
      <div className={styles.words}>
        <div className={styles.title}>{title}</div>
        {children !== undefined && <div className={styles.body}>{children}</div>}
      </div>
      <span className={styles.at}>
        <Time at={at} as="time" />
      </span>
    </li>
  );
}

function byDay(items: readonly TimelineItem[]): { day: string; items: TimelineItem[] }[] {
  const days: { day: string; items: TimelineItem[] }[] = [];
  for (const item of items) {
    const day = formatTime(dateOf(item.at), 'date');
    const last = days.at(-1);
    if (last?.day === day) last.items.push(item);
    else days.push({ day, items: [item] });
  }
  return days;
}
