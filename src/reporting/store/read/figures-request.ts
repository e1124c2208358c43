import type { CollaboratorId, ProgramId } from '#core/ids.ts';

/** The dimensions that figures can be grouped by. */
export const FIGURE_DIMENSIONS = ['day', 'collaborator', 'program', 'source', 'link', 'total'] as const;
export type FigureDimension = (typeof FIGURE_DIMENSIONS)[number];

export type FigureOrder = 'revenue' | 'earned' | 'visits' | 'leads' | 'sales' | 'conversion-rate';

export type FiguresRequest = {
  /** The first day in the organization's time zone, such as `2026-09-01`. */
  readonly from: string;
  /** The day after the last day. */
  readonly until: string;
  readonly by: FigureDimension;
  readonly filters: {
    readonly collaboratorId?: CollaboratorId | undefined;
    readonly programId?: ProgramId | undefined;
    readonly source?: string | undefined;
  };
  /** The measure to sort by. The default is revenue. */
  readonly highest?: FigureOrder | undefined;
  /**
   * The currency in which revenue, earnings and sales are compared. By default, amounts are compared in the currency
   * with the most sales and renewals, and sales count all currencies.
   */
  readonly currency?: string | undefined;
  /**
   * The currency into which all amounts are converted, and by which rows are then sorted. Undefined if no conversion is
   * requested.
   */
  readonly convertTo?: string | undefined;
  /** The maximum number of rows. All further rows are summed up in `rest`. Figures by day or in total have no limit. */
  readonly limit: number;
};
