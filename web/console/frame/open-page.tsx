import type { ReactNode } from 'react';
import { useEffect } from 'react';
import { frame as texts } from './frame-texts.ts';
import { useArrival } from '#web/ui/shell/arrival.ts';
import { useAppName } from '#web/ui/shell/ui-provider.tsx';
import { Mark } from './mark.tsx';
import styles from './open-page.module.css';

export type OpenPageProps = {
  readonly title: string;
  readonly tabTitle?: string;
  readonly description?: ReactNode;
  readonly children: ReactNode;
};

/** Renders a page for logged-out visitors as one narrow card. */
export function OpenPage({ title, tabTitle = title, description, children }: OpenPageProps) {
  const appName = useAppName();
  useEffect(() => {
    document.title = `${tabTitle} · ${appName}`;
  }, [tabTitle, appName]);
  useArrival();
  return (
    <main className={styles.main}>
      <div className={styles.card}>
        <p className={styles.brand}>
          <Mark />
          {texts.application}
        </p>
        <h1 className={styles.title}>{title}</h1>
        {description !== undefined && <p className={styles.description}>{description}</p>}
        {children}
      </div>
    </main>
  );
}
