import { FlaskConical } from 'lucide-react';
import styles from './demo-banner.module.css';
import { texts } from '../shell/texts.ts';

/** Shows a banner above pages with fictitious data. */
export function DemoBanner() {
  return (
    <p className={styles.banner}>
      <FlaskConical aria-hidden />
      {texts.demo}
    </p>
  );
}
