import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import type { Filter } from '../table/filters.ts';
import type { ChangeList, ListState } from '../table/list-query.ts';
import type { Search } from './search.ts';

/** A field of a list's state and its format in the URL. Invalid values are treated as missing. */
export type StateField<Value> = {
  readonly read: (text: string | undefined) => Value;
  /** Returns the text for the URL. Undefined omits the field. */
  readonly write: (value: Value) => string | undefined;
  /** Whether the field leaves the list's rows unchanged. If so, the list stays on its page when the field changes. */
  readonly isBeside?: boolean;
};

/** A field of a list's state with a value of any type. */
type AnyField = {
  readonly read: (text: string | undefined) => unknown;
  readonly write: (value: never) => string | undefined;
  readonly isBeside?: boolean;
};
type AnySchema = Readonly<Record<string, AnyField>>;

export type StateOf<Schema extends AnySchema> = {
  readonly [Name in keyof Schema]: Schema[Name] extends StateField<infer Value> ? Value : never;
};

export type ChangeState<State> = (patch: Partial<State>, options?: { readonly replace?: boolean }) => void;

/** The sorting, the position, the page size and the hidden columns of a list. */
export const PLACE_FIELDS = {
  ...optionalFields('sort', 'after', 'page'),
  perPage: choiceField(['50', '100']),
  hidden: besideField(optionalField()),
};

/** The fields of the position in a list. They are cleared when the filters, the sorting or the page size change. */
const PLACE_IN_LIST = ['after', 'page'];

/**
 * Keeps a list's filters, sorting and position in the URL. A change of the filters, the sorting or the page size
 * returns to the first page. `replace` adds no history entry, for changes during input. Define `schema` outside of the
 * component.
 */
export function useListState<Schema extends AnySchema>(
  schema: Schema,
): [StateOf<Schema>, ChangeState<StateOf<Schema>>] {
  const search: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const state = useMemo(() => readState(schema, search), [schema, search]);
  const change = useCallback<ChangeState<StateOf<Schema>>>(
    (patch, { replace = false } = {}) => {
      const to = (before: Search): Search => ({
        ...withoutPlace(schema, before, Object.keys(patch)),
        ...writtenState(schema, patch),
      });
      void navigate({ to: '.', search: to, replace, resetScroll: false } as never);
    },
    [schema, navigate],
  );
  return [state, change];
}

/**
 * Keeps the state of one of several lists on a page in the URL. Each parameter consists of the names of the list and
 * the field: `sessions.sort`. Define `names` outside of the component.
 */
export function useNamedListState(list: string, names: readonly string[]): [ListState, ChangeList] {
  const schema = useMemo(
    () => Object.fromEntries(names.map((name) => [`${list}.${name}`, optionalField()])),
    [list, names],
  );
  const [named, change] = useListState(schema);
  const state = Object.fromEntries(names.map((name) => [name, named[`${list}.${name}`]]));
  const changeOwn: ChangeList = (patch, options) => {
    const own = Object.entries(patch).filter(([name]) => names.includes(name));
    change(Object.fromEntries(own.map(([name, value]) => [`${list}.${name}`, value])), options);
  };
  return [state, changeOwn];
}

/** Returns a field for an optional text, such as a cursor or an id. */
export function optionalField(): StateField<string | undefined> {
  return { read: (text) => text || undefined, write: (value) => value };
}

/** Returns fields for optional texts by their names. */
export function optionalFields<Name extends string>(...names: readonly Name[]) {
  return Object.fromEntries(names.map((name) => [name, optionalField()])) as Readonly<
    Record<Name, StateField<string | undefined>>
  >;
}

/** Returns a field for one of the given values. A missing or invalid value reads as `fallback`, which the URL omits. */
export function choiceField<const Value extends string>(values: readonly Value[], fallback: Value): StateField<Value>;
export function choiceField<const Value extends string>(values: readonly Value[]): StateField<Value | undefined>;
export function choiceField(values: readonly string[], fallback?: string): StateField<string | undefined> {
  return {
    read: (text) => (text !== undefined && values.includes(text) ? text : fallback),
    write: (value) => (value === fallback ? undefined : value),
  };
}

/** Returns a filter by one of a few values, by default all values that have labels. */
export function choiceFilter<Value extends string>(
  name: string,
  label: string,
  labels: Readonly<Record<Value, string>>,
  values: readonly Value[] = Object.keys(labels) as Value[],
): Filter {
  return { id: name, kind: 'choice', name, label, options: values.map((value) => ({ value, label: labels[value] })) };
}

/** Returns a field for a day such as `2026-09-01`. */
export function dayField(): StateField<string | undefined> {
  return {
    read: (text) => (text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text) ? text : undefined),
    write: (value) => value,
  };
}

/**
 * Returns a field that belongs to the page and not to the list, such as an open dialog or drawer. The list keeps its
 * position when this field changes.
 */
export function besideField<Value>(field: StateField<Value>): StateField<Value> {
  return { ...field, isBeside: true };
}

function readState<Schema extends AnySchema>(schema: Schema, search: Search): StateOf<Schema> {
  const fields = Object.entries(schema).map(([name, field]) => [name, field.read(search[name])]);
  return Object.fromEntries(fields) as StateOf<Schema>;
}

function writtenState(schema: AnySchema, patch: object): Search {
  return Object.fromEntries(Object.entries(patch).map(([name, value]) => [name, schema[name]?.write(value as never)]));
}

function withoutPlace(schema: AnySchema, search: Search, changed: readonly string[]): Search {
  const stays = changed.every((name) => PLACE_IN_LIST.includes(name) || schema[name]?.isBeside === true);
  if (stays) return search;
  return { ...search, ...Object.fromEntries(PLACE_IN_LIST.map((name) => [name, undefined])) };
}
