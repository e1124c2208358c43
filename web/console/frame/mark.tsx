import styles from './sidebar.module.css';

/** Shows the Whence logo. It is hidden from screen readers, because the name is next to it. */
export function Mark() {
  return (
    <svg className={styles.mark} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <rect width="24" height="24" rx="6" />
      <path d="M6 7c0 5 6 3 6 10M18 7c0 5-6 3-6 10" />
      <circle cx="6" cy="7" r="1.6" />
      <circle cx="18" cy="7" r="1.6" />
      <circle cx="12" cy="17" r="1.6" />
    </svg>
  );
}
