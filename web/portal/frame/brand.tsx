import type { Portal } from '@whence/sdk';
import styles from './brand.module.css';

export function Brand({ portal: { name, logo } }: { readonly portal: Pick<Portal, 'name' | 'logo'> }) {
  return (
    <span className={styles.brand}>
      {logo !== null && <img className={styles.logo} src={logo} alt="" />}
      <span className={styles.name}>{name}</span>
    </span>
  );
}
