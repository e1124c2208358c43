import type { ComponentType, ReactNode } from 'react';
import type { ChooserProps } from '../form/combobox.tsx';
import { formatTime } from '../formats/time.ts';
import type { ListState } from './list-query.ts';
import type { OptionSource } from '../form/options.ts';
import type { Option } from '../form/select.tsx';
import { listTexts } from './list-texts.ts';

/** A filter of a list. `name`, `from` and `until` are parameters of the API, and have the same names in the URL. */
export type Filter = { readonly id: string; readonly label: string } & (
  | { readonly kind: 'choice'; readonly name: string; readonly options: readonly Option[] }
  /** A filter by one of many resources, such as partners or programs, which the user finds by typing. */
  | ({
      readonly kind: 'lookup';
      readonly name: string;
      /** The component `Chooser`. It is passed in, so that lists without a lookup filter don't load its code. */
      readonly chooser: ComponentType<ChooserProps>;
    } & Required<Pick<OptionSource, 'load' | 'find'>>)
  | {
      readonly kind: 'text';
      readonly name: string;
      readonly placeholder?: string | undefined;
      readonly description?: ReactNode;
    }
  /** A period between two times, such as `createdFrom` and `createdUntil`. The end is exclusive. */
  | { readonly kind: 'period'; readonly from: string; readonly until: string }
);

export function filterNames(filter: Filter): string[] {
  return filter.kind === 'period' ? [filter.from, filter.until] : [filter.name];
}

export function isSet(filter: Filter, state: ListState): boolean {
  return filterNames(filter).some((name) => state[name] !== undefined && state[name] !== '');
}

/** Returns the value of a filter as a text, or an empty text if it has none. For a lookup filter, returns the id. */
export function filterText(filter: Filter, state: ListState): string {
  switch (filter.kind) {
    case 'choice':
      return filter.options.find(({ value }) => value === state[filter.name])?.label ?? state[filter.name] ?? '';
    case 'lookup':
    case 'text':
      return state[filter.name] ?? '';
    case 'period':
      return listTexts.filter.range(dayText(state[filter.from]), dayText(state[filter.until]));
    default:
      return filter satisfies never;
  }
}

/**
 * Returns the day of a time as a text, or undefined without a time. Returns an invalid time unchanged, because the URL
 * can contain any text.
 */
function dayText(moment: string | undefined): string | undefined {
  if (moment === undefined || moment === '') return undefined;
  try {
    return formatTime(moment, 'date');
  } catch {
    return moment;
  }
}
