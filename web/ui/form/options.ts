import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useId, useState } from 'react';
import type { Option } from './select.tsx';

/** The source of options: a list, or calls to the service. */
export type OptionSource = {
  readonly options?: readonly Option[] | undefined;
  /** Returns the options that match the typed text, at most one page. An empty text returns the default options. */
  readonly load?: ((text: string, signal: AbortSignal) => Promise<readonly Option[]>) | undefined;
  /**
   * Returns the option with the given value, or undefined if the value is unknown. The value can be from the URL or
   * from a resource.
   */
  readonly find?: ((value: string, signal: AbortSignal) => Promise<Option | undefined>) | undefined;
};

/** Returns the options for the typed text, and a function that returns the option of a value with its label. */
export function useOptions({ options, load, find }: OptionSource, chosen: readonly string[]) {
  const id = useId();
  const [typed, search] = useState('');
  const text = useDeferredValue(typed);
  const [seen, setSeen] = useState<ReadonlyMap<string, Option>>(new Map());
  const loaded = useQuery({
    queryKey: ['ui-options', id, text],
    queryFn: async ({ signal }) => {
      const found = (await load?.(text.trim(), signal)) ?? [];
      setSeen((before) => new Map([...before, ...found.map((option) => [option.value, option] as const)]));
      return found;
    },
    enabled: load !== undefined,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
  const items = load === undefined ? (options ?? []) : (loaded.data ?? []);
  const named = (value: string) => items.find((option) => option.value === value) ?? seen.get(value);
  const missing = find === undefined ? [] : chosen.filter((value) => named(value) === undefined);
  const found = useQueries({
    queries: missing.map((value) => ({
      queryKey: ['ui-option', id, value],
      queryFn: async ({ signal }: { signal: AbortSignal }) => (await find?.(value, signal)) ?? { value, label: value },
      staleTime: Number.POSITIVE_INFINITY,
    })),
  });
  const foundLater = new Map(found.flatMap(({ data }) => (data === undefined ? [] : [[data.value, data] as const])));
  return {
    items,
    search,
    remote: load !== undefined,
    loading: load !== undefined && loaded.isFetching && items.length === 0,
    optionOf: (value: string): Option => named(value) ?? foundLater.get(value) ?? { value, label: value },
  };
}
