import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { useLinkProps } from './link.tsx';
import styles from './tabs.module.css';

export type Tab<Value extends string = string> = {
  readonly value: Value;
  readonly label: ReactNode;
  /** The number of items on the tab. */
  readonly count?: ReactNode;
  readonly content: ReactNode;
};

export type TabsProps<Value extends string> = {
  /** The name of the tab list for screen readers. */
  readonly label: string;
  readonly tabs: readonly Tab<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
};

/** Tabs of a page, of which one is shown. Keep `value` in the address, so that each tab has a link. */
export function Tabs<Value extends string>({ label, tabs, value, onChange }: TabsProps<Value>) {
  const id = useId();
  const shown = tabs.find((tab) => tab.value === value);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => showSelected(list.current), [value]);
  return (
    <div>
      <div role="tablist" ref={list} className={styles.list} aria-label={label}>
        {tabs.map((tab) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={`${id}${tab.value}`}
            className={styles.tab}
            aria-selected={tab === shown}
            aria-controls={tab === shown ? `${id}panel` : undefined}
            tabIndex={tab === shown ? 0 : -1}
            onClick={() => onChange(tab.value)}
            onKeyDown={goByArrow}
          >
            {tab.label}
            {tab.count !== undefined && <span className={styles.count}>{tab.count}</span>}
          </button>
        ))}
      </div>
      {shown !== undefined && (
        <div
          key={shown.value}
          role="tabpanel"
          id={`${id}panel`}
          aria-labelledby={`${id}${shown.value}`}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what it has may be words alone
          tabIndex={0}
          className={styles.panel}
        >
          {shown.content}
        </div>
      )}
    </div>
  );
}

/**
 * Scrolls to the selected tab without scrolling the page. On a phone, tabs may be wider than the page, and a link may
 * open the last one.
 */
function showSelected(list: HTMLElement | null): void {
  const tab = list?.querySelector<HTMLElement>('[aria-selected="true"]');
  if (list === null || tab === null || tab === undefined) return;
  const [from, until] = [tab.offsetLeft - list.offsetLeft, tab.offsetLeft - list.offsetLeft + tab.offsetWidth];
  if (from < list.scrollLeft) list.scrollLeft = from;
  else if (until > list.scrollLeft + list.clientWidth) list.scrollLeft = until - list.clientWidth;
}

/** Moves the focus between tabs with arrows, Home and End. A tab is a button, so Enter and Space show it. */
function goByArrow(event: KeyboardEvent<HTMLElement>): void {
  const { parentElement } = event.currentTarget;
  const tabs = [...(parentElement?.querySelectorAll<HTMLElement>('[role="tab"]') ?? [])];
  const at = tabs.indexOf(event.currentTarget);
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: at + 1,
    ArrowLeft: at - 1,
    Home: 0,
    End: -1,
  };
  const to = steps[event.key];
  if (at < 0 || to === undefined) return;
  event.preventDefault();
  tabs.at(to % tabs.length)?.focus();
}

export type LinkTab = {
  readonly href: string;
  readonly label: ReactNode;
  readonly count?: ReactNode;
  readonly current: boolean;
};

/** Tabs with the same look for parts that are separate pages. */
export function LinkTabs({ label, tabs }: { readonly label: string; readonly tabs: readonly LinkTab[] }) {
  return (
    <nav className={styles.list} aria-label={label}>
      {tabs.map((tab) => (
        <OneLinkTab key={tab.href} {...tab} />
      ))}
    </nav>
  );
}

function OneLinkTab({ href, label, count, current }: LinkTab) {
  return (
    <a {...useLinkProps(href)} className={styles.tab} aria-current={current ? 'page' : undefined}>
      {label}
      {count !== undefined && <span className={styles.count}>{count}</span>}
    </a>
  );
}
