import { type ChangeEvent, useState } from 'react';
import { useRefusals } from './form.tsx';

type TypedNumberOptions = {
  /** Null while the field is empty. */
  readonly value: number | null;
  readonly onChange: (value: number | null) => void;
  readonly textOf: (value: number) => string;
  /** Returns undefined for a text that can't be read, or for a number that the field doesn't allow. */
  readonly parse: (text: string) => number | undefined;
};

/**
 * Keeps the text of a number field until the number changes from outside, or the field loses the focus with a valid
 * number. Returns the props of the input, whether the field must show that its text can't be read, and a function that
 * replaces the text with the number. While the text can't be read, the form is not submitted.
 */
export function useTypedNumber({ value, onChange, textOf, parse }: TypedNumberOptions) {
  const [typed, setTyped] = useState<{
    readonly text: string;
    readonly value: number | null;
    readonly refusals: number;
  }>();
  const [left, setLeft] = useState(true);
  const refusals = useRefusals();
  const text = typed !== undefined && typed.value === value ? typed.text : value === null ? '' : textOf(value);
  const isUnreadable = text.trim() !== '' && parse(text) === undefined;
  const isRefused = typed !== undefined && typed.refusals < refusals;
  const showNumber = (): void => setTyped(undefined);
  return {
    isFaulty: isUnreadable && (left || isRefused),
    showNumber,
    input: {
      autoComplete: 'off',
      value: text,
      'data-unreadable': isUnreadable || undefined,
      onChange: ({ target }: ChangeEvent<HTMLInputElement>) => {
        const number = target.value.trim() === '' ? null : parse(target.value);
        setTyped({ text: target.value, value: number === undefined ? value : number, refusals });
        if (number !== undefined) onChange(number);
      },
      onFocus: () => setLeft(false),
      onBlur: () => {
        setLeft(true);
        if (!isUnreadable) showNumber();
      },
    },
  };
}
