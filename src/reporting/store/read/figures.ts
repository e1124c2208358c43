import type { AliasId, CollaboratorId, OrganizationId, ProgramId } from '#core/ids.ts';
import { payableUnit } from '#core/currency.ts';
import type { Minor } from '#core/money.ts';
import { type Connection, type Database, inSnapshot } from '#platform/postgres/database.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { type CountedRow, countsVisits, figureQuery } from './figure-query.ts';
import type { FigureDimension, FiguresRequest } from './figures-request.ts';

export type FigureAmounts = {
  readonly currency: string;
  readonly sales: number;
  readonly revenue: Minor;
  readonly refunded: Minor;
  readonly earned: Minor;
};

/** The amounts of all currencies, converted. */
export type ConvertedAmounts = Omit<FigureAmounts, 'sales'> & {
  /** The currencies of amounts that are left out, because their currency has no rate on or before their day. */
  readonly withoutRate: readonly string[];
};

export type Counts = {
  /** The number of visits. Null for figures by source or for one source, because visits have no source. */
  readonly visits: number | null;
  readonly sales: number;
  readonly renewals: number;
  readonly leads: number;
  readonly conversions: number;
  readonly amounts: readonly FigureAmounts[];
  /** Undefined if no conversion was requested. */
  readonly converted?: ConvertedAmounts;
};

/** The key of a row within its dimension. Fields of other dimensions are absent. */
export type FigureKey = {
  readonly day?: string;
  readonly collaboratorId?: CollaboratorId;
  readonly collaboratorName?: string;
  readonly programId?: ProgramId;
  readonly programName?: string;
  readonly source?: string;
  /** The partner link. Null for visits and sales without a link. */
  readonly linkId?: AliasId | null;
  readonly code?: string | null;
  /** The type of the partner link, such as `tracking` or `coupon`. */
  readonly type?: string | null;
  /** The page that the partner link opens instead of the landing page. */
  readonly pageUrl?: string | null;
};

export type FigureRow = FigureKey & Counts;

export type Figures = Pick<FiguresRequest, 'from' | 'until' | 'by'> & {
  /** The time zone of the days. */
  readonly timeZone: string;
  readonly computedAt: Date;
  readonly rows: readonly FigureRow[];
  /** The sum of all rows beyond the limit, or null if there are no further rows. */
  readonly rest: FigureRest | null;
};

export type FigureRest = Counts & { readonly rows: number };

/**
 * Returns the figures of a span of days. Stored sums and newer facts are read from one snapshot. The figures of one
 * collaborator, which the portal requests, contain nothing about other collaborators.
 */
export function readFigures(
  { connection, organizationId }: Tenant<Database>,
  request: FiguresRequest,
): Promise<Figures> {
  return inSnapshot(connection, async (connection) => {
    const { from, until, by } = request;
    const tenant = { connection, organizationId };
    const { computedAt, timeZone, isSummed, came } = await readMark(tenant, from);
    const values = figureValues(organizationId, request, { came, timeZone });
    const { rows } = await connection.query<CountedRow>(figureQuery(request, isSummed), values);
    const shown = [...Map.groupBy(rows, ({ key }) => key)].flatMap(([key, of]) =>
      key === null ? [] : [{ key, counts: countsOf(of, request) }],
    );
    return {
      from,
      until,
      by,
      timeZone,
      computedAt,
      rows: isWhole(request) ? wholeRows(request, shown) : await addNames(tenant, by, shown),
      rest: restOf(rows, request),
    };
  });
}

/** Returns whether the response has a row for each day or the total. Such a response leaves out no rows. */
function isWhole({ by }: Pick<FiguresRequest, 'by'>): boolean {
  return by === 'day' || by === 'total';
}

/** Returns the values of the parameters of `keyedSums` and `figureQuery`. */
export function figureValues(
  organizationId: OrganizationId,
  request: FiguresRequest,
  { came, timeZone }: Pick<FigureMark, 'came' | 'timeZone'>,
): readonly unknown[] {
  const { from, until, filters, limit, currency, convertTo } = request;
  return [
    organizationId,
    came,
    'infinity',
    timeZone,
    from,
    until,
    ...wholeMonths(request),
    isWhole(request) ? null : limit,
    filters.collaboratorId ?? null,
    filters.programId ?? null,
    filters.source ?? null,
    currency ?? null,
    convertTo ?? null,
    convertTo === undefined ? null : String(payableUnit(convertTo)),
  ];
}

function restOf(rows: readonly CountedRow[], request: FiguresRequest): FigureRest | null {
  const beyond = rows.filter(({ key }) => key === null);
  const [first] = beyond;
  return first === undefined ? null : { rows: Number(first.keys) - request.limit, ...countsOf(beyond, request) };
}

type FigureMark = {
  readonly computedAt: Date;
  readonly timeZone: string;
  /** Whether there are stored sums for the days of this time zone. */
  readonly isSummed: boolean;
  /** The moment from which newer facts are read. */
  readonly came: string;
  /** The end of the stored sums. Without sums, the same as `came`. */
  readonly summedUntil: string;
};

/**
 * Returns the current time, the organization's time zone, and the moment from which newer facts are read. This moment
 * is the end of the stored sums, or some hours before the first day if that is later. The moment is a query parameter,
 * so that the planner knows how few facts follow. A fact can be recorded some hours before the day of its event in
 * these cases:
 *
 * - The sender's clock is ahead, so the reported time is in the future.
 * - A conversion has the start time of a long transaction.
 * - A clock change shifts the beginning of the day.
 */
export async function readMark({ connection, organizationId }: Tenant<Connection>, from: string): Promise<FigureMark> {
  const { rows } = await connection.query<FigureMark>(
    `select now() as "computedAt", o.time_zone as "timeZone", m.summed_until is not null as "isSummed",
       greatest(f.earliest, m.summed_until)::text as came, coalesce(m.summed_until, f.earliest)::text as "summedUntil"
     from organizations o
     cross join lateral (
       select $2::date::timestamp at time zone o.time_zone - interval '4 hours' as earliest
     ) f
     left join sum_marks m on m.organization_id = o.id and m.time_zone = o.time_zone and not m.is_restarting
     where o.id = $1`,
    [organizationId, from],
  );
  return rows[0] as FigureMark;
}

type Keyed = { readonly key: string; readonly counts: Counts };

function countsOf(rows: readonly CountedRow[], request: FiguresRequest): Counts {
  const count = (name: 'visits' | 'sales' | 'renewals' | 'leads' | 'conversions'): number =>
    rows.reduce((sum, row) => sum + Number(row[name]), 0);
  return {
    visits: countsVisits(request) ? count('visits') : null,
    sales: count('sales'),
    renewals: count('renewals'),
    leads: count('leads'),
    conversions: count('conversions'),
    amounts: rows
      .map(amountsOf)
      .filter(
        ({ sales, revenue, refunded, earned }) => sales !== 0 || revenue !== 0n || refunded !== 0n || earned !== 0n,
      ),
    ...(request.convertTo === undefined ? {} : { converted: convertedOf(rows, request.convertTo) }),
  };
}

function amountsOf({ currency, sales, revenue, refunded, earned }: CountedRow): FigureAmounts {
  return {
    currency,
    sales: Number(sales),
    revenue: amountOf(revenue),
    refunded: amountOf(refunded),
    earned: amountOf(earned),
  };
}

/** Returns the converted sums, which are the same in each of the rows. */
function convertedOf(rows: readonly CountedRow[], currency: string): ConvertedAmounts {
  const [first] = rows;
  return {
    currency,
    revenue: amountOf(first?.converted_revenue),
    refunded: amountOf(first?.converted_refunded),
    earned: amountOf(first?.converted_earned),
    withoutRate: rows.flatMap((row) => (row.unrated === true ? [row.currency] : [])),
  };
}

function amountOf(text = '0'): Minor {
  return BigInt(text) as Minor;
}

/** Returns each day of the span, or the total. Includes rows without any facts. */
function wholeRows(request: FiguresRequest, shown: readonly Keyed[]): FigureRow[] {
  const counts = new Map(shown.map((each) => [each.key, each.counts]));
  const none = countsOf([], request);
  if (request.by === 'total') return [counts.get('total') ?? none];
  return daysOf(request).map((day) => ({ day, ...(counts.get(day) ?? none) }));
}

/**
 * Returns the first day of the first whole month in the span, and the first day after the last whole month. Returns
 * `until` twice if there is no whole month, and for figures by day, which use no whole months.
 */
function wholeMonths({ from, until, by }: FiguresRequest): [string, string] {
  const monthOf = (time: Date): Date => new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth()));
  const last = monthOf(new Date(until));
  // The first whole month follows the month of the day before `from`.
  const before = new Date(Date.parse(from) - DAY_MS);
  const first = new Date(Date.UTC(before.getUTCFullYear(), before.getUTCMonth() + 1));
  return by === 'day' || first >= last ? [until, until] : [dayText(first), dayText(last)];
}

function dayText(time: Date): string {
  return time.toISOString().slice(0, 10);
}

const DAY_MS = 86_400_000;

function daysOf({ from, until }: Pick<FiguresRequest, 'from' | 'until'>): string[] {
  const days = (Date.parse(until) - Date.parse(from)) / DAY_MS;
  return Array.from({ length: days }, (_, n) => dayText(new Date(Date.parse(from) + n * DAY_MS)));
}

async function addNames(
  tenant: Tenant<Connection>,
  by: FigureDimension,
  shown: readonly Keyed[],
): Promise<FigureRow[]> {
  const { connection, organizationId } = tenant;
  const ids = (part: number): number[] => [...new Set(shown.map(({ key }) => Number(key.split(' ')[part])))];
  const names = async (text: string, wanted: readonly number[]): Promise<Map<number, string>> => {
    const { rows } = await connection.query<{ id: number; name: string }>(text, [organizationId, wanted]);
    return new Map(rows.map(({ id, name }) => [id, name]));
  };
  if (by === 'source') return shown.map(({ key, counts }) => ({ source: key, ...counts }));
  if (by === 'program') {
    const programs = await names(PROGRAM_NAMES, ids(0));
    return shown.map(({ key, counts }) => {
      const programId = Number(key) as ProgramId;
      return { programId, programName: programs.get(programId) ?? '', ...counts };
    });
  }
  const people = await names(COLLABORATOR_NAMES, ids(0));
  const links = by === 'link' ? await readLinks(tenant, ids(1)) : undefined;
  return shown.map(({ key, counts }) => {
    const [person, alias] = key.split(' ').map(Number) as [CollaboratorId, AliasId];
    const whose = { collaboratorId: person, collaboratorName: people.get(person) ?? '' };
    if (links === undefined) return { ...whose, ...counts };
    const { code = null, type = null, pageUrl = null } = links.get(alias) ?? {};
    return { ...whose, linkId: alias === 0 ? null : alias, code, type, pageUrl, ...counts };
  });
}

type FigureLink = { readonly id: number } & Required<Pick<FigureKey, 'code' | 'type' | 'pageUrl'>>;

async function readLinks(
  { connection, organizationId }: Tenant<Connection>,
  ids: readonly number[],
): Promise<Map<number, FigureLink>> {
  const { rows } = await connection.query<FigureLink>(
    `select id, code, type, page_url as "pageUrl" from aliases where organization_id = $1 and id = any ($2::bigint[])`,
    [organizationId, ids],
  );
  return new Map(rows.map((link) => [link.id, link]));
}

const COLLABORATOR_NAMES = 'select id, name from collaborators where organization_id = $1 and id = any ($2::bigint[])';
const PROGRAM_NAMES = `
  select p.id, v.name from programs p
  join program_versions v on v.organization_id = p.organization_id and v.program_id = p.id and v.version = p.version
  where p.organization_id = $1 and p.id = any ($2::bigint[])`;
