import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import type { ChangeList, ListState } from '#ui/list-query.ts';
import type { Search } from './search.ts';

/** One part of a list's state: how it stands in the address. What can't be read is as if it were not there. */
export type StateField<Value> = {
  readonly read: (text: string | undefined) => Value;
  /** Undefined: it is left out of the address. */
  readonly write: (value: Value) => string | undefined;
  /** It stands beside what the list shows, which stays where it is when this changes. */
  readonly isBeside?: boolean;
};

/** A part of a list's state, whatever it holds. */
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

/** Where a list begins belongs to what it shows: another filter or order begins again. */
const PLACE_IN_LIST = ['after', 'page'];

/**
 * The state of a list, kept in the address: filters, order, place. A change of anything but the place begins at the first
 * page again. `replace` leaves no step in the history: for what is being typed. Keep `schema` outside of the component.
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
 * The state of one of several lists of a page, as texts: in the address each of `names` stands behind the list's own name
 * (`sessions.sort`). Keep `names` outside of the component.
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

/** Any text; empty where there is none. */
export function textField(): StateField<string> {
  return { read: (text) => text ?? '', write: (value) => value || undefined };
}

/** A text or nothing, such as a cursor or an id. */
export function optionalField(): StateField<string | undefined> {
  return { read: (text) => text || undefined, write: (value) => value };
}

/** One of these; with `fallback`, which is left out of the address, else undefined. */
export function choiceField<const Value extends string>(values: readonly Value[], fallback: Value): StateField<Value>;
export function choiceField<const Value extends string>(values: readonly Value[]): StateField<Value | undefined>;
export function choiceField(values: readonly string[], fallback?: string): StateField<string | undefined> {
  return {
    read: (text) => (text !== undefined && values.includes(text) ? text : fallback),
    write: (value) => (value === fallback ? undefined : value),
  };
}

/** Several of these, with commas between. */
export function choicesField<const Value extends string>(values: readonly Value[]): StateField<readonly Value[]> {
  return {
    read: (text) => values.filter((value) => text?.split(',').includes(value)),
    write: (chosen) => (chosen.length === 0 ? undefined : chosen.join(',')),
  };
}

/** A day such as `2026-09-01`. */
export function dayField(): StateField<string | undefined> {
  return {
    read: (text) => (text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text) ? text : undefined),
    write: (value) => value,
  };
}

/** Of a page, not of its list: the dialog or the drawer that is open. The list stays where it is when it opens or closes. */
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
