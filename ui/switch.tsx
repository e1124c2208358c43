import { Field as BaseField } from '@base-ui/react/field';
import { Switch as Base } from '@base-ui/react/switch';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './choice.module.css';

export type SwitchProps = {
  readonly label: ReactNode;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly description?: ReactNode;
  readonly disabled?: boolean | undefined;
  readonly name?: string | undefined;
};

/** On or off, at once. */
export function Switch({ label, checked, onChange, description, disabled, name }: SwitchProps) {
  return (
    <BaseField.Root name={name} disabled={disabled}>
      <BaseField.Label className={classNames(styles.line, styles.switchLine)}>
        <span className={styles.words}>
          <span>{label}</span>
          {description !== undefined && (
            <BaseField.Description render={<span />} className={styles.description}>
              {description}
            </BaseField.Description>
          )}
        </span>
        <Base.Root className={styles.switch} checked={checked} onCheckedChange={(now) => onChange(now)}>
          <Base.Thumb className={styles.thumb} />
        </Base.Root>
      </BaseField.Label>
    </BaseField.Root>
  );
}
