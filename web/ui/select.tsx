import { ChevronsUpDown, type LucideIcon } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { classNames } from './class-names.ts';
import { closedTrigger } from './closed-trigger.ts';
import { Field, type FieldLook, useFieldControl } from './field.tsx';
import fieldStyles from './field.module.css';
import { onDemand, usePart } from './on-demand.ts';
import styles from './select.module.css';
import { texts } from './texts.ts';
import { type Typed, typedChoice, typedOn } from './typed-choice.ts';

/** An option to choose. */
export type Option<Value extends string = string> = {
  readonly value: Value;
  readonly label: string;
  /** A line of text below the label. */
  readonly description?: ReactNode;
  readonly icon?: LucideIcon | undefined;
  readonly disabled?: boolean | undefined;
};

export type SelectProps<Value extends string> = FieldLook & {
  readonly options: readonly Option<Value>[];
  /** Null if nothing is selected yet. */
  readonly value: Value | null;
  readonly onChange: (value: Value) => void;
  readonly placeholder?: string | undefined;
};

const popups = onDemand(() => import('./select-popup.tsx'));

/** Selects one of a few options. For many options or for searching, use Combobox. */
export function Select<Value extends string>({
  options,
  value,
  onChange,
  placeholder = texts.field.choose,
  ...look
}: SelectProps<Value>) {
  return (
    <Field {...look}>
      <Control options={options} value={value} onChange={(now) => onChange(now as Value)} placeholder={placeholder} />
    </Field>
  );
}

/** The props of the control, before and after the popup has loaded. */
export type SelectControlProps = {
  readonly options: readonly Option[];
  readonly value: string | null;
  readonly onChange: (value: string) => void;
  readonly placeholder: string;
};

function Control(props: SelectControlProps) {
  const { name: _, ...control } = useFieldControl();
  const [isWanted, setWanted] = useState(false);
  const part = usePart(popups, isWanted);
  const chooseByTyping = useTypedChoice(props);
  if (part !== undefined) return <part.SelectPopup {...props} />;
  const open = closedTrigger('listbox', popups.load, () => setWanted(true));
  const onKeyDown = (event: KeyboardEvent): void => {
    open.onKeyDown(event);
    chooseByTyping(event);
  };
  const closed = { ...control, ...open, onKeyDown, role: 'combobox' };
  const chosen = props.options.find((option) => option.value === props.value);
  return (
    <button type="button" {...closed} className={classNames(fieldStyles.control, styles.trigger)}>
      <span className={styles.value} data-placeholder={chosen === undefined ? '' : undefined}>
        {chosen?.label ?? props.placeholder}
      </span>
      <span className={styles.icon} aria-hidden>
        <ChevronsUpDown />
      </span>
    </button>
  );
}

/** Selects an option by typing while the list is closed: the option that begins with the typed letters. */
function useTypedChoice({ options, value, onChange }: SelectControlProps) {
  const typed = useRef<Typed>(undefined);
  return ({ key, ctrlKey, metaKey, altKey, timeStamp }: KeyboardEvent): void => {
    if (key.length !== 1 || key === ' ' || ctrlKey || metaKey || altKey) return;
    typed.current = typedOn(typed.current, key, timeStamp);
    const chosen = typedChoice(options, value, typed.current.text);
    if (chosen !== undefined && chosen.value !== value) onChange(chosen.value);
  };
}
