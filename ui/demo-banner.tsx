import { FlaskConical } from 'lucide-react';
import styles from './demo-banner.module.css';
import { texts } from './texts.ts';

/** Above pages whose data are made up. */
export function DemoBanner() {
  return (
    <p className={styles.banner}>
      <FlaskConical aria-hidden />
      {texts.demo}
    </p>
  );
}
