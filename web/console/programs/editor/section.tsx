import { ChevronRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { ShownFault } from '#web/ui/feedback/problem.ts';
import styles from './editor.module.css';

export type SectionProps = {
  readonly title: string;
  /** A short summary of the current terms, next to the title. */
  readonly state: string;
  /** The request fields that this section edits. A fault in any of these fields expands the section. */
  readonly fields: readonly string[];
  readonly faults: readonly ShownFault[];
  readonly children: ReactNode;
};

/** Renders a section for terms that few programs need. It is collapsed at first. */
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
