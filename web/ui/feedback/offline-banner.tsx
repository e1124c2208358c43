import { WifiOff } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { texts } from '../shell/texts.ts';
import styles from './offline-banner.module.css';

/** Shows a message while the device is offline. Pages load their data when the connection is back. */
export function OfflineBanner() {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  return (
    <div role="status" className={styles.place}>
      {!isOnline && (
        <p className={styles.banner}>
          <WifiOff aria-hidden />
          {texts.offline}
        </p>
      )}
    </div>
  );
}

function subscribe(onChange: () => void): () => void {
  addEventListener('online', onChange);
  addEventListener('offline', onChange);
  return () => {
    removeEventListener('online', onChange);
    removeEventListener('offline', onChange);
  };
}
