import { Tabs as Base } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';
import { useLinkProps } from './link.tsx';
import styles from './tabs.module.css';

export type Tab<Value extends string = string> = {
  readonly value: Value;
  readonly label: ReactNode;
  /** How many things wait behind it. */
  readonly count?: ReactNode;
  readonly content: ReactNode;
};

export type TabsProps<Value extends string> = {
  /** What they are parts of, read out. */
  readonly label: string;
  readonly tabs: readonly Tab<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
};

/** Parts of one page, one of which is shown. Give them to the address, so that a link leads to each. */
export function Tabs<Value extends string>({ label, tabs, value, onChange }: TabsProps<Value>) {
  return (
    <Base.Root value={value} onValueChange={(now) => onChange(now as Value)}>
      <Base.List className={styles.list} aria-label={label}>
        {tabs.map((tab) => (
          <Base.Tab key={tab.value} value={tab.value} className={styles.tab}>
            {tab.label}
            {tab.count !== undefined && <span className={styles.count}>{tab.count}</span>}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel key={tab.value} value={tab.value} className={styles.panel}>
          {tab.content}
        </Base.Panel>
      ))}
    </Base.Root>
  );
}

export type LinkTab = {
  readonly href: string;
  readonly label: ReactNode;
  readonly count?: ReactNode;
  readonly current: boolean;
};

/** The same look for parts that are pages of their own. */
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
