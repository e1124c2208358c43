import { useSyncExternalStore } from 'react';
import { Dialog } from './dialog.tsx';
import { describedGroups, subscribe } from './hotkey-list.ts';
import styles from './hotkeys.module.css';
import { Keys } from './hotkeys.tsx';
import { texts } from './texts.ts';

/** Shows the hotkeys of this page. */
export function HotkeyDialog({ onClose }: { readonly onClose: () => void }) {
  const groups = useSyncExternalStore(subscribe, describedGroups);
  return (
    <Dialog open onClose={onClose} title={texts.hotkeys.title}>
      {/* The list may be longer than the window and has no other focusable element. */}
      <div className={styles.groups} tabIndex={0} role="group" aria-label={texts.hotkeys.title}>
        {groups.map(({ group, hotkeys }) => (
          <section key={group}>
            <h3 className={styles.heading}>{group}</h3>
            <dl className={styles.list}>
              {hotkeys.map(({ keys, label }) => (
                <div key={keys} className={styles.hotkey}>
                  <dt>{label}</dt>
                  <dd className={styles.keys}>
                    <Keys keys={keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
