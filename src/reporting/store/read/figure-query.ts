import { BASE_CURRENCY } from '../../domain/exchange-rate.ts';
import { type Grain, saleFacts, visitFacts } from '../figure-facts.ts';
import type { FigureDimension, FigureOrder, FiguresRequest } from './figures-request.ts';

const SALE_MEASURES = ['sales', 'renewals', 'leads', 'conversions', 'revenue', 'refunded', 'earned'] as const;
const MEASURES = ['visits', ...SALE_MEASURES] as const;

/**
 * The counts for one row key and one currency, as text. Visits have no currency (''), and conversions have the currency
 * of their earnings.
 */
export type CountedRow = Converted & {
  /** The values of the dimension's columns, separated by spaces. Null for the sum of all keys beyond the limit. */
  readonly key: string | null;
  /** The position in the response. */
  readonly place: number;
  /** The total number of keys, including keys without their own row. */
  readonly keys: string;
  readonly currency: string;
} & { readonly [Name in (typeof MEASURES)[number]]: string };

/** The converted sums of all currencies of a row, and whether an amount in the row's currency has no rate. */
type Converted = {
  readonly [Name in `converted_${(typeof AMOUNTS)[number]}`]?: string;
} & { readonly unrated?: boolean };

type Asked = Pick<FiguresRequest, 'by' | 'filters' | 'highest' | 'convertTo'>;

/**
 * The columns that identify a row. A link row also has the collaborator, because each collaborator has their own sales
 * without a link.
 */
const KEYS: Readonly<Record<FigureDimension, readonly string[]>> = {
  day: ['day'],
  collaborator: ['collaborator_id'],
  program: ['program_id'],
  source: ['source'],
  link: ['collaborator_id', 'alias_id'],
  total: [],
};

/**
 * Returns the statement that counts figures from newer facts and, with `isSummed`, from the stored sums. Its parameters
 * are the parameters of `keyedSums`, and $9: the number of keys with their own rows (null: all).
 */
export function figureQuery(asked: Asked, isSummed: boolean): string {
  const isConverting = asked.convertTo !== undefined;
  const texts = MEASURES.map((name) => `sum(k.${name})::text as ${name}`).join(', ');
  return `
    with ${keyedSums(asked, isSummed)},
    ranked as (
      select key, row_number() over (
        order by ${orderOf(asked)}, sum(revenue) desc, sum(visits) desc, sum(conversions) desc, key collate "C") as place,
        count(*) over () as keys
      from keyed group by key
    )
    select case when r.place <= coalesce($9::int, r.place) then k.key end as key,
      ${PLACE} as place, r.keys, k.currency, ${texts} ${isConverting ? CONVERTED_TEXTS : ''}
    from keyed k join ranked r on r.key = k.key
    group by 1, 2, 3, 4 order by 2, k.currency collate "C"`;
}

/**
 * Returns common table expressions in SQL. The last one, `keyed`, has the sums of each key and currency. The parameters
 * are:
 * - $1: the organization.
 * - $2 and $3: the recording time of the newer facts, from $2 on and before $3.
 * - $4: the time zone of the days.
 * - $5 and $6: the days. Within them, $7 to $8 are whole months, which are read from monthly sums.
 * - $10, $11 and $12: the filters, null if absent.
 * - $13: the currency in which rows are compared. If it is null, amounts are compared in MAIN_CURRENCY, and sales count
 *   all currencies.
 * - $14: the currency into which amounts are converted, null for none. $15: its smallest payable amount in hundredths.
 */
export function keyedSums(asked: Asked, isSummed: boolean): string {
  const parts = countsVisits(asked) ? [saleTexts(asked), visitTexts(asked)] : [saleTexts(asked)];
  const counted = parts.flatMap(({ summed, newer }) => (isSummed ? [summed, newer] : [newer]));
  const isConverting = asked.convertTo !== undefined;
  const key = KEYS[asked.by].map((name) => `${name}::text`).join(` || ' ' || `) || `'total'`;
  const sums = MEASURES.map((name) => `sum(${name}) as ${name}`).join(', ');
  return `
    given as (select $7::date, $8::date, $10::bigint, $11::bigint, $12::text, $13::text, $14::text, $15::numeric),
    counted as (${counted.join(' union all ')}),
    ${isConverting ? RATED : ''}
    keyed as materialized (
      select ${key} as key, currency, ${sums} ${isConverting ? CONVERTED_SUMS : ''}
      from counted ${isConverting ? 'full join rated using (currency, rate_day)' : ''} group by 1, 2
    )`;
}

const PLACE = 'least(r.place, $9::int + 1)::int';

export const AMOUNTS = ['revenue', 'refunded', 'earned'] as const;

/** Returns SQL for the rate of a currency to the euro on `p.rate_day`: the last rate on or before that day. */
function rateOf(currency: string): string {
  return `case ${currency} when '${BASE_CURRENCY}' then 1 else (
    select e.rate from exchange_rates e
    where e.organization_id = $1 and e.currency = ${currency} and e.day <= p.rate_day order by e.day desc limit 1) end`;
}

/**
 * SQL for the conversion factor of each currency and day. The division has 30 decimals, so that rounding the factor has
 * no effect on the rounded sums.
 *
 * The amounts are combined with a full join, although each factor has amounts. The planner expects few amounts, and
 * would compare every pair in a left join.
 */
const RATED = `rated as materialized (
  select p.currency, p.rate_day,
    case p.currency when $14::text then 1 else (${rateOf('$14::text')})::numeric(60, 30) / (${rateOf('p.currency')}) end as factor
  from (select distinct currency, rate_day from counted where currency <> '') p
),`;

const CONVERTED_SUMS = `,
  ${AMOUNTS.map((name) => `coalesce(sum(${name} * factor), 0) as converted_${name}`).join(', ')},
  bool_or(factor is null and (${AMOUNTS.map((name) => `${name} <> 0`).join(' or ')})) as unrated`;

/**
 * Returns SQL that rounds a converted sum to a payable amount, with halves away from zero. Before that, the sum is
 * rounded to 20 decimals, so that three thirds of a unit add up to exactly one unit.
 */
export function roundedSum(sum: string): string {
  return `(round(round(${sum}, 20) / $15::numeric) * $15::numeric)`;
}

/**
 * SQL for the converted sums of a row, and whether an amount in the row's currency has no rate. Each sum includes the
 * amounts of all currencies and is rounded once.
 */
const CONVERTED_TEXTS = `,
  ${AMOUNTS.map((name) => {
    const sum = `sum(sum(k.converted_${name})) over (partition by ${PLACE})`;
    return `${roundedSum(sum)}::text as "converted_${name}"`;
  }).join(', ')}, bool_or(k.unrated) as unrated`;

/**
 * SQL for the currency with the most sales and renewals. It is used for sorting, because amounts of different
 * currencies can't be compared.
 */
const MAIN_CURRENCY = `
  select currency from keyed where currency <> '' group by currency order by sum(sales + renewals) desc, currency limit 1`;

function inCurrency(amount: 'revenue' | 'earned', isConverting: boolean): string {
  if (isConverting) return `sum(converted_${amount})`;
  return `coalesce(sum(${amount}) filter (where currency = coalesce($13, (${MAIN_CURRENCY}))), 0)`;
}

const COUNT_ORDERS: Readonly<Record<Exclude<FigureOrder, 'revenue' | 'earned'>, string>> = {
  visits: 'sum(visits)',
  leads: 'sum(leads)',
  sales: `coalesce(sum(sales) filter (where $13::text is null or currency = $13), 0)`,
  'conversion-rate': 'sum(sales) / nullif(sum(visits), 0)',
};

/**
 * Returns the sort order in SQL: the requested measure first, and the highest revenue second. Rows without visits have
 * no conversion rate, so the order `conversion-rate` puts them last.
 */
function orderOf({ highest = 'revenue', convertTo }: Asked): string {
  const orders = new Set(
    [highest, 'revenue' as const].map((order) =>
      order === 'revenue' || order === 'earned' ? inCurrency(order, convertTo !== undefined) : COUNT_ORDERS[order],
    ),
  );
  return [...orders].map((order) => `${order} desc nulls last`).join(', ');
}

const DAYS = 'day >= $5::date and day < $6::date';
/** SQL for the end of the days. If a clock change repeats midnight, the moment is after the change. */
const DAYS_UNTIL = `($6::date::timestamp at time zone $4::text)`;
/** SQL condition for the rows of sums: the days before the whole months, the months, and the days after them. */
const PERIODS = `(per = 'day' and day >= $5::date and day < $7::date or per = 'month' and day >= $7::date and day < $8::date
  or per = 'day' and day >= $8::date and day < $6::date)`;

/** The conditions for rows of sums and facts. Rows for all owners together have the id 0. */
type Whose = { readonly grain: Grain; readonly collaborator: string; readonly program: string };

function whose({ by, filters: { collaboratorId, programId } }: Asked): Whose {
  const isOwned = by === 'collaborator' || by === 'link' || collaboratorId !== undefined;
  const isProgram = by === 'program' || programId !== undefined;
  return {
    grain: isOwned ? (isProgram ? 'both' : 'collaborator') : isProgram ? 'program' : 'all',
    collaborator: `collaborator_id ${collaboratorId !== undefined ? '= $10::bigint' : isOwned ? '> 0' : '= 0'}`,
    program: `program_id ${programId !== undefined ? '= $11::bigint' : isProgram ? '> 0' : '= 0'}`,
  };
}

/** SQL for figures: from the stored sums, and from newer facts. */
type Texts = { readonly summed: string; readonly newer: string };

function saleTexts(asked: Asked): Texts {
  const { grain, collaborator, program } = whose(asked);
  const source = asked.filters.source === undefined ? '' : 'and source = $12::text';
  const where = `${collaborator} and ${program} ${source}`;
  const columns = [...KEYS[asked.by], 'currency', ...(asked.convertTo === undefined ? [] : ['day as rate_day'])];
  const shown = columns.join(', ');
  const grouped = columns.map((_, at) => at + 1).join(', ');
  // Currency conversion needs the amounts of each day, so it can't read the sums of whole months.
  const periods = asked.convertTo === undefined ? PERIODS : `per = 'day' and ${DAYS}`;
  // With currency conversion, most rows have a separate day, so grouping them here would be a useless second pass.
  const isConverting = asked.convertTo !== undefined;
  const sums = SALE_MEASURES.map((name) => (isConverting ? name : `sum(${name}) as ${name}`)).join(', ');
  const inGroups = isConverting ? '' : `group by ${grouped}`;
  const came = saleFacts({ grains: [grain], withLinks: asked.by === 'link', daysUntil: DAYS_UNTIL });
  return {
    summed: `select ${shown}, 0::numeric as visits, ${sums} from sale_sums
      where organization_id = $1 and ${where} and ${periods} ${inGroups}`,
    newer: `select ${shown}, 0::numeric as visits, ${sums} from (${came}) f
      where ${where} and ${DAYS} ${inGroups}`,
  };
}

function visitTexts(asked: Asked): Texts {
  const { by, filters, convertTo } = asked;
  const { grain, collaborator } = whose(asked);
  const isProgram = grain === 'program' || grain === 'both';
  const isOwned = grain === 'collaborator' || grain === 'both';
  const each = by === 'program' ? 'cross join lateral unnest(program_ids) p (program_id)' : '';
  const touched = filters.programId === undefined ? '' : 'and program_ids @> array[$11::bigint]';
  const only = by === 'program' && filters.programId !== undefined ? 'and p.program_id = $11::bigint' : '';
  const where = `${collaborator} ${touched} ${only}`;
  const columns = [...KEYS[by], `''::text`, ...(convertTo === undefined ? [] : ['null::date'])].join(', ');
  const counted = `${columns}, sum(visits), 0, 0, 0, 0, 0, 0, 0`;
  const grouped = KEYS[by].length === 0 ? 'having count(*) > 0' : `group by ${KEYS[by].join(', ')}`;
  const came = visitFacts({ withPrograms: isProgram, daysUntil: DAYS_UNTIL });
  const ofAll = `select day, 0::bigint as collaborator_id, 0::bigint as alias_id, program_ids, visits from (${came}) v`;
  return {
    summed: `select ${counted} from visit_sums ${each} where organization_id = $1 and ${where} and ${PERIODS} ${grouped}`,
    newer: `select ${counted} from (${isOwned ? came : ofAll}) f ${each} where ${where} and ${DAYS} ${grouped}`,
  };
}

/** Returns whether visits are counted. Visits have no source, so they are not counted by source or for one source. */
export function countsVisits({ by, filters }: Asked): boolean {
  return by !== 'source' && filters.source === undefined;
}
