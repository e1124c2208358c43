import { ChevronRight } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { classNames } from './class-names.ts';
import { Link } from './link.tsx';
import styles from './page.module.css';
import { texts } from './texts.ts';
import { useAppName } from './ui-provider.tsx';

export type Breadcrumb = { readonly label: ReactNode; readonly href: string };

export type PageProps = {
  /** The heading. */
  readonly title: ReactNode;
  /** What the browser's tab says, where the title is no text. */
  readonly tabTitle?: string | undefined;
  /** Beside the heading: a StatusBadge. */
  readonly badge?: ReactNode;
  /** A sentence below it. */
  readonly description?: ReactNode;
  /** Where this page lies, from the top, without itself. */
  readonly breadcrumbs?: readonly Breadcrumb[] | undefined;
  /** Buttons, the page's purpose last. */
  readonly actions?: ReactNode;
  /** `narrow` for forms and words. */
  readonly width?: 'wide' | 'narrow' | undefined;
  readonly children: ReactNode;
};

const AT_THE_TOP: readonly Breadcrumb[] = [];

/** A page: its heading, what can be done with it, and its parts. It names the browser's tab. */
export function Page({
  title,
  tabTitle,
  badge,
  description,
  breadcrumbs = AT_THE_TOP,
  actions,
  width,
  children,
}: PageProps) {
  const appName = useAppName();
  const named = tabTitle ?? (typeof title === 'string' ? title : undefined);
  useEffect(() => {
    document.title = [named, appName].filter((part) => part !== undefined && part !== '').join(' · ');
  }, [named, appName]);
  return (
    <div className={classNames(styles.page, width === 'narrow' && styles.narrow)}>
      <header className={styles.head}>
        {breadcrumbs.length > 0 && (
          <nav aria-label={texts.breadcrumbs} className={styles.crumbs}>
            {breadcrumbs.map(({ label, href }, at) => (
              <span key={href} className={styles.crumb}>
                {at > 0 && <ChevronRight aria-hidden />}
                <Link href={href}>{label}</Link>
              </span>
            ))}
          </nav>
        )}
        <div className={styles.titleRow}>
          <div className={styles.title}>
            <h1 tabIndex={-1}>{title}</h1>
            {badge}
          </div>
          {actions !== undefined && <div className={styles.actions}>{actions}</div>}
        </div>
        {description !== undefined && <p className={styles.description}>{description}</p>}
      </header>
      {children}
    </div>
  );
}

export type Fact = { readonly label: ReactNode; readonly value: ReactNode };

export type FactsProps = {
  /** Those whose value is undefined, null or false are left out. */
  readonly items: readonly Fact[];
  /** Beside each other, each below its label: for the head of a page. */
  readonly beside?: boolean | undefined;
};

/** What is known of one thing: labels and values. */
export function Facts({ items, beside }: FactsProps) {
  return (
    <dl className={classNames(styles.facts, beside === true && styles.beside)}>
      {items
        .filter(({ value }) => value !== undefined && value !== null && value !== false)
        .map(({ label, value }, at) => (
          <div key={typeof label === 'string' ? label : at} className={styles.fact}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
