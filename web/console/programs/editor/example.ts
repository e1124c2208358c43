import { keepPreviousData } from '@tanstack/react-query';
import type { CreateProgramBody, ExampleProgramBody, ProgramExample } from '@whence/sdk';
import { useEffect, useState } from 'react';
import { programEditor as texts } from './program-editor-texts.ts';
import { useRead } from '#web/ui/shell/call.ts';
import { majorText } from '#web/ui/formats/money.ts';
import { problemOf, type ShownFault } from '#web/ui/feedback/problem.ts';
import { newKey, type PayableKind } from './draft.ts';

export type TouchDraft = {
  readonly key: number;
  readonly name: string;
  /** The id of an existing partner, whose individual reward applies. Null for a fictitious partner. */
  readonly collaboratorId: string | null;
  readonly daysBefore: number | null;
  readonly trigger: string | null;
  readonly enrolled: boolean;
  readonly earnedBefore: number | null;
  readonly conversionsBefore: number | null;
};
export type ItemDraft = {
  readonly key: number;
  readonly name: string;
  readonly quantity: number | null;
  readonly amount: number | null;
};

/** The input of the worked example: a sale and its touches. */
export type ExampleDraft = {
  /** The kind of event. Null selects the first kind that the program pays for. */
  readonly kind: PayableKind | null;
  readonly total: number | null;
  /** The items of the sale. If there are items, the total is their sum. */
  readonly items: readonly ItemDraft[];
  readonly renewalNumber: number | null;
  readonly touches: readonly TouchDraft[];
};

/** Returns an example with two partners, so that the effect of the attribution model is visible. */
export function firstExample(): ExampleDraft {
  return {
    kind: null,
    total: 10_000,
    items: [],
    renewalNumber: 1,
    touches: [newTouch(texts.example.firstName, 3), newTouch(texts.example.secondName, 1)],
  };
}

export function newTouch(name: string, daysBefore: number): TouchDraft {
  return {
    key: newKey(),
    name,
    collaboratorId: null,
    daysBefore,
    trigger: null,
    enrolled: true,
    earnedBefore: null,
    conversionsBefore: null,
  };
}

/**
 * Returns the chosen kind of event. If the program doesn't pay for it, returns the first kind that the program pays
 * for, or a sale.
 */
export function exampleKind({ kind }: ExampleDraft, pays: readonly PayableKind[]): PayableKind {
  return kind !== null && pays.includes(kind) ? kind : (pays[0] ?? 'sale');
}

export function exampleBody(program: CreateProgramBody, example: ExampleDraft): ExampleProgramBody {
  const kind = exampleKind(example, program.pays ?? ['sale']);
  const triggers = Object.keys(program.triggers ?? {});
  const items = example.items.map(({ name, quantity, amount }) => ({
    name,
    quantity: quantity ?? '',
    amount: amount === null ? '' : majorText(amount),
  }));
  return {
    ...program,
    // The API requires a name, so send a placeholder for a program without a name.
    name: program.name === '' ? texts.unnamed : program.name,
    sale: {
      kind,
      ...(kind === 'lead' ? {} : items.length > 0 ? { items } : { total: majorText(example.total ?? 0) }),
      ...(kind === 'renewal' ? { renewalNumber: example.renewalNumber ?? '' } : {}),
    },
    touches: example.touches.map((touch) => ({
      ...(touch.collaboratorId === null ? { collaborator: touch.name } : { collaboratorId: touch.collaboratorId }),
      daysBefore: touch.daysBefore ?? '',
      ...(touch.trigger !== null && triggers.includes(touch.trigger) ? { trigger: touch.trigger } : {}),
      ...(program.enrollment === 'selected' ? { enrolled: touch.enrolled } : {}),
      ...(touch.earnedBefore === null ? {} : { earnedBefore: touch.earnedBefore }),
      ...(touch.conversionsBefore === null ? {} : { conversionsBefore: touch.conversionsBefore }),
    })),
  };
}

export type Tried = {
  /** The last result. It stays visible while the current terms have no result. */
  readonly shown: ProgramExample | undefined;
  /** Whether the result belongs to earlier terms, because a new result is loading or the terms have faults. */
  readonly stale: boolean;
  readonly faults: readonly ShownFault[];
  /** An error other than faults of the terms. */
  readonly error: unknown;
};

const TYPING_MS = 200;

/** Returns the program's rule text and the worked example, both calculated by the service while the user types. */
export function useExample(program: CreateProgramBody, example: ExampleDraft): Tried {
  const body = JSON.stringify(exampleBody(program, example));
  const settledBody = useSettled(body, TYPING_MS);
  const { data, error, isFetching, isPlaceholderData } = useRead(
    ['programs', 'example', settledBody],
    (api, options) => api.programs.example(JSON.parse(settledBody) as ExampleProgramBody, options),
    { placeholderData: keepPreviousData, staleTime: Number.POSITIVE_INFINITY, gcTime: 60_000 },
  );
  const [last, setLast] = useState<ProgramExample>();
  if (data !== undefined && data !== last) setLast(data);
  const faults = error === null ? [] : problemOf(error, { titles: {}, unknown: '' }).errors;
  return {
    shown: data ?? last,
    stale: settledBody !== body || isFetching || isPlaceholderData || error !== null,
    faults,
    error: error !== null && faults.length === 0 ? error : undefined,
  };
}

/** Returns the last value that was unchanged for `ms` milliseconds. */
function useSettled<Value>(value: Value, ms: number): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
