import styles from './data-banner.module.css';
import { texts } from '../shell/texts.ts';

type DataBannerProps = {
  /** Whether the data is invented. */
  readonly demo: boolean;
  /** The mode of the organization. */
  readonly mode: 'live' | 'test';
};

/** Shows a banner above pages whose data is not real, and nothing above other pages. */
export function DataBanner({ demo, mode }: DataBannerProps) {
  return (demo || mode === 'test') && <p className={styles.banner}>{demo ? texts.demo : texts.test}</p>;
}
