import { ChevronRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { ShownFault } from '#ui/problem.ts';
import styles from './editor.module.css';

export type SectionProps = {
  readonly title: string;
  /** What holds now, in a few words: seen while it is folded. */
  readonly state: string;
  /** The fields of the call's body that are in it: a fault in one of them unfolds it. */
  readonly fields: readonly string[];
  readonly faults: readonly ShownFault[];
  readonly children: ReactNode;
};

/** Terms that few need, folded. */
export function Section({ title, state, fields, faults, children }: SectionProps) {
  const [open, setOpen] = useState(false);
  const faulty = faults.some(({ pointer }) => fields.includes(pointer.split('/')[1] ?? ''));
  const shown = open || faulty;
  return (
    <details className={styles.section} open={shown} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className={styles.summary}>
        <ChevronRight className={styles.chevron} aria-hidden />
        <span className={styles.sectionTitle}>{title}</span>
        <span className={styles.state}>{state}</span>
      </summary>
      {shown && <div className={styles.sectionBody}>{children}</div>}
    </details>
  );
}
