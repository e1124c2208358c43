import { ChevronRight } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { classNames } from '../controls/class-names.ts';
import { Link } from '../controls/link.tsx';
import styles from './page.module.css';
import { texts } from './texts.ts';
import { useAppName } from './ui-provider.tsx';

export type Breadcrumb = { readonly label: ReactNode; readonly href: string };

export type PageProps = {
  /** The heading. */
  readonly title: ReactNode;
  /** The title of the browser's tab. Default: `title` if it is a string. */
  readonly tabTitle?: string | undefined;
  /** The badge next to the heading, such as a StatusBadge. */
  readonly badge?: ReactNode;
  /** A sentence below the heading. */
  readonly description?: ReactNode;
  /** The path to this page from the top, without the page itself. */
  readonly breadcrumbs?: readonly Breadcrumb[] | undefined;
  /** The buttons, with the main action last. */
  readonly actions?: ReactNode;
  /** `narrow` is for forms and text. */
  readonly width?: 'wide' | 'narrow' | undefined;
  readonly children: ReactNode;
};

const AT_THE_TOP: readonly Breadcrumb[] = [];

/** Renders a page with its heading, actions and content. It sets the title of the browser's tab. */
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
  /** Items whose value is undefined, null or false are omitted. */
  readonly items: readonly Fact[];
  /** Whether to show the facts in a row, each below its label, as at the top of a page. Default: false. */
  readonly beside?: boolean | undefined;
};

/** Shows facts about one resource as labels and values. */
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
