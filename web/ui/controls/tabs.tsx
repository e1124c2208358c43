import { Tabs as Base } from '@base-ui/react/tabs';
import { type ReactNode, Suspense, useEffect, useRef } from 'react';
import { Skeleton } from '../feedback/skeleton.tsx';
import styles from './tabs.module.css';

export type Tab<Value extends string = string> = {
  readonly value: Value;
  readonly label: ReactNode;
  /** The number of items on the tab. */
  readonly count?: ReactNode;
  /** The content of the tab, which may be a `lazy` component. */
  readonly content: ReactNode;
};

export type TabsProps<Value extends string> = {
  /** The name of the tab list for screen readers. */
  readonly label: string;
  readonly tabs: readonly Tab<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
};

/** Shows one of several tabs of a page. Keep `value` in the URL, so that each tab has a link. */
export function Tabs<Value extends string>({ label, tabs, value, onChange }: TabsProps<Value>) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => showSelected(list.current), [value]);
  return (
    <Base.Root value={value} onValueChange={(now: Value) => onChange(now)}>
      <Base.List ref={list} className={styles.list} aria-label={label}>
        {tabs.map((tab) => (
          <Base.Tab key={tab.value} value={tab.value} className={styles.tab}>
            {tab.label}
            {tab.count !== undefined && <span className={styles.count}>{tab.count}</span>}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel key={tab.value} value={tab.value} className={styles.panel}>
          <Suspense fallback={<Skeleton lines={8} />}>{tab.content}</Suspense>
        </Base.Panel>
      ))}
    </Base.Root>
  );
}

/**
 * Scrolls the tab list, but not the page, to the selected tab. On a phone, the tabs may be wider than the page, and a
 * link may open the last tab.
 */
function showSelected(list: HTMLElement | null): void {
  const tab = list?.querySelector<HTMLElement>('[aria-selected="true"]');
  if (list === null || tab === null || tab === undefined) return;
  const [from, until] = [tab.offsetLeft - list.offsetLeft, tab.offsetLeft - list.offsetLeft + tab.offsetWidth];
  if (from < list.scrollLeft) list.scrollLeft = from;
  else if (until > list.scrollLeft + list.clientWidth) list.scrollLeft = until - list.clientWidth;
}
