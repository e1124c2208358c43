import {
  createContext,
  type ComponentProps,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { Button } from '../controls/button.tsx';
import { classNames } from '../controls/class-names.ts';
import { ErrorPanel } from '../feedback/error-panel.tsx';
import { pointerOf, type ShownFault, type ShownProblem } from '../feedback/problem.ts';
import { shownProblem } from '../feedback/shown-problem.ts';
import styles from './form.module.css';
import { texts } from '../shell/texts.ts';

export type FormProps = Omit<ComponentProps<'form'>, 'onSubmit'> & {
  /** The call that the form makes when it is submitted. While the call is pending, the submit button is busy. */
  readonly call?: { readonly mutate: () => void; readonly isPending: boolean; readonly error: unknown };
  /** Runs when the form is submitted. Default: makes the call. */
  readonly onSubmit?: () => unknown;
  /**
   * The error of the last attempt. Its faults are shown at the fields with the matching `name`. All other faults are
   * shown above the fields. Default: the error of the call.
   */
  readonly error?: unknown;
  /** Faults of the current input. They are also shown at the fields, without moving the focus while the user types. */
  readonly live?: readonly ShownFault[] | undefined;
  readonly children: ReactNode;
};

/**
 * Renders a form with faults from the API or the page. After a refused attempt, the first faulty field gets the focus.
 * A form is not submitted while a field has a text that the field can't read, because the field's value is still the
 * previous value.
 */
export function Form({
  call,
  onSubmit = call?.mutate,
  error = call?.error,
  live,
  children,
  className,
  ...rest
}: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const busy = call?.isPending;
  const { shown: problem, faultOf } = useProblem(error);
  const [known, setKnown] = useState<readonly string[]>([]);
  const [changed, setChanged] = useState<Changed>({ error, pointers: [] });
  const [refusals, setRefusals] = useState(0);
  const [attempts, setAttempts] = useState(0);
  const corrected = changed.error === error ? changed.pointers : NO_POINTERS;
  const register = useCallback((pointer: string) => {
    setKnown((before) => [...before, pointer]);
    return () => setKnown((before) => before.toSpliced(before.indexOf(pointer), 1));
  }, []);
  useEffect(() => {
    const failed = error !== undefined && error !== null;
    if (!failed && attempts === 0) return;
    const wrong = form.current?.querySelector<HTMLElement>(
      '[aria-invalid="true"]:not(fieldset), fieldset[aria-invalid="true"] input, [data-invalid] input, [data-invalid] button',
    );
    (wrong ?? (failed ? form.current?.querySelector<HTMLElement>('[role="alert"]') : undefined))?.focus();
  }, [error, attempts]);
  const context = useMemo(
    () => ({
      faultOf: (name: string) =>
        (corrected.includes(pointerOf(name)) ? undefined : faultOf(name)) ?? wordsOf(live ?? [], pointerOf(name)),
      register,
      refusals,
      busy,
    }),
    [corrected, faultOf, live, register, refusals, busy],
  );
  const elsewhere = problem?.errors.filter((fault) => !known.some((pointer) => covers(pointer, fault.pointer))) ?? [];
  const shown = problem !== undefined && (problem.errors.length === 0 || elsewhere.length > 0);
  return (
    <form
      noValidate
      {...rest}
      ref={form}
      className={classNames(styles.form, className)}
      onInput={({ target }) => {
        const { name = '' } = target as Partial<HTMLInputElement>;
        const pointer = pointerOf(name);
        if (name !== '' && error !== undefined && error !== null && !corrected.includes(pointer)) {
          setChanged({ error, pointers: [...corrected, pointer] });
        }
      }}
      onSubmit={(event) => {
        event.preventDefault();
        // React also sends the event of a form in a dialog to the page's form, which must not submit.
        event.stopPropagation();
        const unreadable = form.current?.querySelector<HTMLElement>('[data-unreadable]');
        if (unreadable === null || unreadable === undefined) {
          setAttempts(attempts + 1);
          void onSubmit?.();
        } else {
          setRefusals(refusals + 1);
          unreadable.focus();
        }
      }}
    >
      {shown && <ErrorPanel error={error} faults={elsewhere} />}
      <FormContext value={context}>{children}</FormContext>
    </form>
  );
}

export type FormActionsProps = {
  /** The label of the submit button: “Create program”. */
  readonly submitLabel: ReactNode;
  /** Default: whether the form's call is pending. */
  readonly busy?: boolean | undefined;
  readonly disabled?: boolean | undefined;
  readonly danger?: boolean | undefined;
  /** Adds a button that leaves the form without changes. */
  readonly onCancel?: (() => void) | undefined;
  readonly cancelLabel?: ReactNode;
  /** Further buttons at the opposite end. */
  readonly children?: ReactNode;
};

/** Renders the buttons at the end of a form. */
export function FormActions({
  submitLabel,
  busy,
  disabled,
  danger,
  onCancel,
  cancelLabel,
  children,
}: FormActionsProps) {
  const form = use(FormContext);
  return (
    <div className={styles.actions}>
      <div className={styles.other}>{children}</div>
      {onCancel !== undefined && <Button onClick={onCancel}>{cancelLabel ?? texts.cancel}</Button>}
      <Button
        type="submit"
        variant={danger === true ? 'danger' : 'primary'}
        busy={busy ?? form?.busy}
        disabled={disabled}
      >
        {submitLabel}
      </Button>
    </div>
  );
}

export type FormSectionProps = {
  readonly title: ReactNode;
  readonly description?: ReactNode;
  readonly children: ReactNode;
};

/** Renders a group of related fields, with the heading next to them if there is room. */
export function FormSection({ title, description, children }: FormSectionProps) {
  return (
    <section className={styles.section}>
      <div className={styles.about}>
        <h2 className={styles.heading}>{title}</h2>
        {description !== undefined && <p className={styles.description}>{description}</p>}
      </div>
      <div className={styles.fields}>{children}</div>
    </section>
  );
}

export type Problem = {
  readonly shown: ShownProblem | undefined;
  /**
   * Returns the text of a field's fault, given the field's name (`reward.amount`) or its pointer (`/reward/amount`).
   * Returns undefined if the field has no fault.
   */
  readonly faultOf: (name: string) => string | undefined;
};

/** Returns the problem of an error and its faults by field. Undefined and null mean that there is no error. */
export function useProblem(error: unknown): Problem {
  return useMemo(() => {
    const shown = error === undefined || error === null ? undefined : shownProblem(error);
    return { shown, faultOf: (name) => wordsOf(shown?.errors ?? [], pointerOf(name)) };
  }, [error]);
}

/** The fields that the user has changed since an error. Their faults are no longer shown. */
type Changed = { readonly error: unknown; readonly pointers: readonly string[] };

const NO_POINTERS: readonly string[] = [];

type FormFaults = {
  readonly faultOf: (name: string) => string | undefined;
  readonly register: (pointer: string) => () => void;
  readonly refusals: number;
  readonly busy: boolean | undefined;
};

const FormContext = createContext<FormFaults | undefined>(undefined);

/**
 * Returns the fault of the field with the given name in the surrounding form, or undefined. Registers the field, so
 * that the form doesn't list its faults above all fields.
 */
export function useFieldFault(name: string | undefined): string | undefined {
  const form = use(FormContext);
  const register = form?.register;
  useEffect(() => (name === undefined ? undefined : register?.(pointerOf(name))), [register, name]);
  return name === undefined ? undefined : form?.faultOf(name);
}

/**
 * Returns how often the surrounding form refused to be submitted because of a field with the attribute
 * `data-unreadable`.
 */
export function useRefusals(): number {
  return use(FormContext)?.refusals ?? 0;
}

function wordsOf(errors: readonly ShownFault[], pointer: string): string | undefined {
  const found = errors.filter((fault) => covers(pointer, fault.pointer));
  return found.length === 0 ? undefined : found.map(({ detail }) => detail).join(' ');
}

/**
 * Returns whether the fault at the pointer `fault` belongs to the field at `pointer`. The field includes its contents:
 * the fault `/scopes/0` belongs to the field `/scopes`.
 */
function covers(pointer: string, fault: string): boolean {
  return fault === pointer || fault.startsWith(`${pointer}/`);
}

/**
 * Returns a function that connects a field with the value of the same name: `<NumberField {...field('points')} />`. The
 * field's path in the request body is the name after `path`.
 */
export function fieldsOf<Draft extends object>(draft: Draft, change: (changed: Partial<Draft>) => void, path = '') {
  return <Name extends keyof Draft & string>(name: Name) => ({
    name: `${path}${name}`,
    value: draft[name],
    onChange: (value: Draft[Name]) => change({ [name]: value } as unknown as Partial<Draft>),
  });
}

/** Keeps the values of a form. Returns the values, the function of `fieldsOf`, and a function that changes values. */
export function useDraft<Draft extends object>(initial: Draft, path = '') {
  const [draft, setDraft] = useState(initial);
  const change = (changed: Partial<Draft>): void => setDraft((before) => ({ ...before, ...changed }));
  return [draft, fieldsOf(draft, change, path), change] as const;
}
