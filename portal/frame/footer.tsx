import { usePortal } from '#portal/brand.ts';
import { frame as texts } from '#portal/texts/frame.ts';
import { Link } from '#ui/link.tsx';
import styles from './frame.module.css';

/** Where there is help, and what was agreed. */
export function Footer() {
  const { supportEmail, termsUrl } = usePortal();
  if (supportEmail === null && termsUrl === null) return null;
  return (
    <footer className={styles.footer}>
      {supportEmail !== null && <Link href={`mailto:${supportEmail}`}>{texts.footer.support(supportEmail)}</Link>}
      {termsUrl !== null && <Link href={termsUrl}>{texts.footer.terms}</Link>}
    </footer>
  );
}
