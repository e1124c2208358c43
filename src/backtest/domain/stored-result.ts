import type { CollaboratorId } from '#core/ids.ts';
import type { ComparedPartner, ComparedSale, DraftResult } from './backtest.ts';

/** A value in which amounts are numbers, as in JSON. */
type AsJson<Value> = Value extends bigint
  ? number
  : Value extends string | number | null
    ? Value
    : Value extends readonly (infer Item)[]
      ? readonly AsJson<Item>[]
      : Value extends object
        ? { readonly [Field in keyof Value]: AsJson<Value[Field]> }
        : Value;

/**
 * The result of a draft as it is stored. Names of collaborators are stored only in the texts of the explanations. The
 * ids of these collaborators are stored with the backtest. Other names are read together with the result.
 */
export type StoredDraftResult = AsJson<
  Omit<DraftResult, 'name' | 'partners' | 'differing'> & {
    readonly partners: readonly Omit<ComparedPartner, 'name'>[];
    readonly differing: readonly Omit<ComparedSale, 'namedIds'>[];
  }
>;

export type StoredResult = {
  readonly decided: number;
  readonly leftOut: number;
  readonly drafts: readonly StoredDraftResult[];
};

/**
 * Returns the results of drafts without names of collaborators, and the ids of the collaborators who are named in
 * texts.
 */
export function separateNames(drafts: readonly DraftResult[]): {
  readonly drafts: readonly object[];
  readonly namedIds: readonly CollaboratorId[];
} {
  const namedIds = new Set(drafts.flatMap(({ differing }) => differing.flatMap((sale) => sale.namedIds)));
  return {
    drafts: drafts.map(({ name: _, partners, differing, ...result }) => ({
      ...result,
      partners: partners.map(({ name: __, ...partner }) => partner),
      differing: differing.map(({ namedIds: __, ...sale }) => sale),
    })),
    namedIds: [...namedIds].toSorted((a, b) => a - b),
  };
}
