import { usePortal } from '../brand.ts';
import { frame as texts } from './frame-texts.ts';
import { Link } from '#web/ui/controls/link.tsx';
import styles from './frame.module.css';

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
