import { Combobox as Base } from '@base-ui/react/combobox';
import { Check, Search } from 'lucide-react';
import { classNames } from './class-names.ts';
import type { OpenerProps } from './combobox.tsx';
import styles from './combobox.module.css';
import { type FieldLook, useFieldControl } from './field.tsx';
import { type OptionSource, useOptions } from './options.ts';
import popup from './popup.module.css';
import type { Option } from './select.tsx';
import { texts } from './texts.ts';
import { holdTyping } from './typed-ahead.ts';

/** Renders the button of a Combobox and its options, which are open initially. */
export function ComboboxPopup({ multiple = false, ...props }: OpenerProps) {
  return multiple ? <Several {...props} /> : <One {...props} />;
}

function One({ source, chosen, onChoose, ...opener }: OpenerProps) {
  const { disabled } = useFieldControl();
  return (
    <Base.Root
      {...rootProps(source)}
      defaultOpen
      onOpenChange={(now) => now && holdTyping()}
      value={chosen[0] ?? null}
      onValueChange={(option: Option | null) => onChoose(option === null ? [] : [option])}
      disabled={disabled}
    >
      <Inside source={source} {...opener} />
    </Base.Root>
  );
}

function Several({ source, chosen, onChoose, ...opener }: OpenerProps) {
  const { disabled } = useFieldControl();
  return (
    <Base.Root
      {...rootProps(source)}
      defaultOpen
      onOpenChange={(now) => now && holdTyping()}
      multiple
      value={[...chosen]}
      onValueChange={(now: Option[]) => onChoose(now)}
      disabled={disabled}
    >
      <Inside source={source} {...opener} />
    </Base.Root>
  );
}

function Inside({
  source,
  label,
  className,
  children,
}: Pick<OpenerProps, 'source' | 'label' | 'className' | 'children'>) {
  const { name: _, disabled: __, ...control } = useFieldControl();
  return (
    <>
      <Base.Trigger {...control} className={className}>
        {children}
      </Base.Trigger>
      <Choices source={source} label={label} />
    </>
  );
}

export type ChooserProps = OptionSource & {
  readonly label: string;
  readonly value: string | null;
  readonly onChange: (value: string | null, option: Option | null) => void;
};

/** Renders a search field with its options, shown in place within an existing popup. */
export function Chooser({ label, value, onChange, options, load, find }: ChooserProps) {
  const source = useOptions({ options, load, find }, value === null ? [] : [value]);
  return (
    <Base.Root
      {...rootProps(source)}
      inline
      open
      value={value === null ? null : source.optionOf(value)}
      onValueChange={(option: Option | null) => onChange(option?.value ?? null, option)}
    >
      <Results source={source} label={label} />
    </Base.Root>
  );
}

type Source = ReturnType<typeof useOptions>;

function rootProps({ items, search, remote }: Source) {
  return {
    items,
    autoHighlight: true,
    itemToStringLabel: ({ label }: Option) => label,
    itemToStringValue: ({ value }: Option) => value,
    isItemEqualToValue: (one: Option, other: Option) => one.value === other.value,
    onInputValueChange: search,
    // Show all results from the service, even if their names don't contain the text.
    ...(remote ? { filter: null } : {}),
  };
}

/**
 * Shows the options with the search field inside the popup. If the field were the control itself, Base UI would hide
 * the rest of the page from screen readers during input. That includes elements that can still have the focus.
 */
function Choices({ source, label }: { readonly source: Source; readonly label: FieldLook['label'] }) {
  const name = typeof label === 'string' ? label : texts.field.search;
  return (
    <Base.Portal>
      <Base.Positioner className={popup.positioner} sideOffset={4} align="start" collisionPadding={8}>
        <Base.Popup className={classNames(popup.popup, styles.popup)} aria-label={name}>
          <Results source={source} label={name} />
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  );
}

function Results({ source: { loading }, label }: { readonly source: Source; readonly label: string }) {
  return (
    <>
      <span className={styles.search}>
        <Search aria-hidden />
        <Base.Input className={styles.input} placeholder={texts.field.search} aria-label={label} />
      </span>
      <div className={styles.results}>
        <Base.Status className={popup.status}>{loading ? texts.loading : null}</Base.Status>
        <Base.Empty className={popup.empty}>{loading ? null : texts.field.noMatch}</Base.Empty>
        <Base.List>
          {(option: Option) => (
            <Base.Item key={option.value} value={option} disabled={option.disabled} className={popup.item}>
              {option.icon && <option.icon aria-hidden />}
              <span className={popup.words}>
                {option.label}
                {option.description !== undefined && <span className={popup.description}>{option.description}</span>}
              </span>
              <span className={popup.tick}>
                <Base.ItemIndicator>
                  <Check aria-hidden />
                </Base.ItemIndicator>
              </span>
            </Base.Item>
          )}
        </Base.List>
      </div>
    </>
  );
}
