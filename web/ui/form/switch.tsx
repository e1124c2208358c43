import { type ReactNode, useId } from 'react';
import { classNames } from '../controls/class-names.ts';
import styles from './choice.module.css';

export type SwitchProps = {
  readonly label: ReactNode;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly description?: ReactNode;
  readonly disabled?: boolean | undefined;
  readonly name?: string | undefined;
};

/** Renders a control that turns something on or off immediately. */
export function Switch({ label, checked, onChange, description, disabled, name }: SwitchProps) {
  const id = useId();
  return (
    <label className={classNames(styles.line, styles.switchLine)} data-disabled={disabled === true ? '' : undefined}>
      <span className={styles.words}>
        <span id={`${id}label`}>{label}</span>
        {description !== undefined && (
          <span id={`${id}words`} className={styles.description}>
            {description}
          </span>
        )}
      </span>
      <span className={styles.switch}>
        <input
          type="checkbox"
          // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- `checked` sets the state
          role="switch"
          name={name}
          checked={checked}
          disabled={disabled}
          aria-labelledby={`${id}label`}
          aria-describedby={description === undefined ? undefined : `${id}words`}
          onChange={(event) => onChange(event.target.checked)}
        />
        <span className={styles.thumb} />
      </span>
    </label>
  );
}
