import { WifiOff } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { texts } from '../shell/texts.ts';
import styles from './offline-banner.module.css';

/** Shows a message while the device is offline. Pages load their data when the connection is back. */
export function OfflineBanner() {
  const isOnline = useOnline();
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

/** Returns whether the device is online. */
export function useOnline(): boolean {
  return useSyncExternalStore(subscribe, () => navigator.onLine);
}

function subscribe(onChange: () => void): () => void {
  addEventListener('online', onChange);
  addEventListener('offline', onChange);
  return () => {
    removeEventListener('online', onChange);
    removeEventListener('offline', onChange);
  };
}
