import { type ReactNode, useEffect } from 'react';
import { usePortal } from '../brand.ts';
import { IS_EMBEDDED } from '../embedding.ts';
import { classNames } from '#web/ui/controls/class-names.ts';
import { DataBanner } from '#web/ui/feedback/data-banner.tsx';
import { useArrival } from '#web/ui/shell/arrival.ts';
import { useAppName } from '#web/ui/shell/ui-provider.tsx';
import { Brand } from './brand.tsx';
import { Footer } from './footer.tsx';
import styles from './open-page.module.css';

export type OpenPageProps = {
  readonly title: string;
  readonly tabTitle?: string;
  readonly description?: ReactNode;
  /** The width of the card. `wide` suits long content, such as the list of programs. */
  readonly width?: 'narrow' | 'wide';
  readonly children: ReactNode;
};

/** Renders a page for logged-out visitors as one card in the portal’s brand. */
export function OpenPage({ title, tabTitle = title, description, width = 'narrow', children }: OpenPageProps) {
  const portal = usePortal();
  const appName = useAppName();
  useEffect(() => {
    document.title = `${tabTitle} · ${appName}`;
  }, [tabTitle, appName]);
  useArrival();
  return (
    <div className={styles.page}>
      <DataBanner demo={portal.demo} mode={portal.mode} />
      <main className={classNames(styles.main, IS_EMBEDDED && styles.embedded)}>
        <div className={classNames(styles.card, width === 'wide' && styles.wide)}>
          {!IS_EMBEDDED && <Brand portal={portal} />}
          <h1 className={styles.title}>{title}</h1>
          {description !== undefined && <div className={styles.description}>{description}</div>}
          {children}
        </div>
      </main>
      {!IS_EMBEDDED && <Footer />}
    </div>
  );
}
