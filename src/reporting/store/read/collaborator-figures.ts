import { saleFacts } from '../figure-facts.ts';
import { AMOUNTS, keyedSums, roundedSum } from './figure-query.ts';
import { figureValues, readMark } from './figures.ts';
import type { FiguresRequest } from './figures-request.ts';
import type { CollaboratorId, ProgramId } from '#core/ids.ts';
import { MAX_MINOR, type Minor } from '#core/money.ts';
import type { CollaboratorStatus } from '#collaborators/domain/collaborator.ts';
import { collaboratorSearch } from '#collaborators/store/read/collaborators.ts';
import { type Connection, type Database, inSnapshot } from '#platform/postgres/database.ts';
import type { PageRequest, Relation } from '#platform/postgres/lists/relation.ts';
import type { Tenant } from '#platform/postgres/tenant.ts';
import { readReward, type StoredReward } from '#programs/store/program-versions.ts';
import { type ShownReward, showReward } from '#programs/store/read/programs.ts';

type CustomRate<Reward> = {
  readonly programId: ProgramId;
  readonly programName: string;
  readonly currency: string;
  readonly reward: Reward;
};

type Figured<Amount, Reward, Rate> = {
  readonly collaboratorId: CollaboratorId;
  readonly collaboratorName: string;
  readonly status: CollaboratorStatus;
  readonly tags: readonly string[];
  readonly customRates: readonly CustomRate<Reward>[];
  readonly visits: number;
  readonly leads: number;
  readonly conversionRate: Rate;
  readonly lastSaleOn: string | null;
  readonly currency: string;
  readonly sales: number;
  readonly revenue: Amount;
  readonly refunded: Amount;
  readonly earned: Amount;
  readonly withoutRate: readonly string[];
};

/** The figures of one collaborator in a period. */
export type CollaboratorFigures = Figured<Minor, ShownReward, number | null>;
export type CollaboratorFiguresRow = Figured<string, StoredReward, string> & {
  readonly [Name in keyof typeof FURTHER_SORTS]?: string;
};
export type CollaboratorFiguresNow = Relation<CollaboratorFiguresRow, CollaboratorFigures>;

export type CollaboratorFiguresRequest = Pick<FiguresRequest, 'from' | 'until'> & {
  /** The currency of the amounts. Exactly one of `currency` and `convertTo` is set. */
  readonly currency: string | undefined;
  /** The currency into which the amounts of all currencies are converted. */
  readonly convertTo: string | undefined;
  readonly tag: string | undefined;
  /** Whether to include collaborators who are not active and have no figures in the period. */
  readonly isWhole: boolean;
  readonly sort: PageRequest['sort'];
};

/** Runs `work` in a snapshot, with the relation of the figures by collaborator in that snapshot. */
export function withCollaboratorFigures<Result>(
  { connection: database, organizationId }: Tenant<Database>,
  asked: CollaboratorFiguresRequest,
  work: (connection: Connection, figures: CollaboratorFiguresNow) => Promise<Result>,
): Promise<Result> {
  return inSnapshot(database, async (connection) =>
    work(connection, await collaboratorFiguresOf({ connection, organizationId }, asked)),
  );
}

/** Returns the relation of the figures by collaborator. Read it in the same snapshot. */
export async function collaboratorFiguresOf(
  tenant: Tenant<Connection>,
  asked: CollaboratorFiguresRequest,
): Promise<CollaboratorFiguresNow> {
  const request = { ...asked, by: 'collaborator', filters: {}, limit: 0 } as const;
  const mark = await readMark(tenant, asked.from);
  return {
    query: figuresQuery(request, mark.isSummed, asked.sort),
    values: [...figureValues(tenant.organizationId, request, mark), asked.tag ?? null, asked.isWhole, mark.summedUntil],
    key: 'collaboratorId',
    sorts: {
      collaboratorId: 'bigint',
      collaboratorName: 'text',
      visits: 'bigint',
      leads: 'bigint',
      sales: 'bigint',
      conversionRate: 'numeric',
      revenue: 'numeric',
      refunded: 'numeric',
      earned: 'numeric',
      lastSaleOn: 'text',
      highestCustomRate: 'numeric',
      firstTag: 'text',
    },
    ...collaboratorSearch,
    isComputed: true,
    read: readRow,
  };
}

function readRow({
  customRates,
  conversionRate,
  lastSaleOn,
  revenue,
  refunded,
  earned,
  highestCustomRate: _,
  firstTag: __,
  ...row
}: CollaboratorFiguresRow) {
  const rate = Number(conversionRate);
  return {
    ...row,
    customRates: customRates.map(({ reward, ...of }) => ({ ...of, reward: showReward(readReward(reward)) })),
    conversionRate: rate < 0 ? null : rate,
    lastSaleOn: lastSaleOn === '' ? null : lastSaleOn,
    revenue: BigInt(revenue) as Minor,
    refunded: BigInt(refunded) as Minor,
    earned: BigInt(earned) as Minor,
  };
}

/**
 * SQL for the sorted values of the collaborator `j` that are not fields of the API. `none` replaces a missing value, so
 * that it comes last in ascending and in descending order.
 */
const FURTHER_SORTS = {
  /** A percentage ranks above every amount, and amounts of different currencies compare as numbers. */
  highestCustomRate: {
    value: `(select max(coalesce(${MAX_MINOR} + (e -> 'reward' ->> 'ratePpm')::numeric, (e -> 'reward' ->> 'amount')::numeric))
      from json_array_elements(j.rates) e)`,
    none: { ascending: `'infinity'`, descending: '-1' },
  },
  /** The digits before the tag put a missing tag after or before all tags. */
  firstTag: {
    value: `'1' || (select min(tag) from unnest(j.tags) tag)`,
    none: { ascending: `'2'`, descending: `'0'` },
  },
} as const;

/** Returns SQL for the column of a sort that is not a field of the API, with a comma, or an empty text. */
function sortColumn({ field, descending }: PageRequest['sort']): string {
  if (field !== 'highestCustomRate' && field !== 'firstTag') return '';
  const { value, none } = FURTHER_SORTS[field];
  return `, coalesce(${value}, ${none[descending ? 'descending' : 'ascending']}) as "${field}"`;
}

/**
 * Returns the query of the relation. It has the parameters of `keyedSums`, with $13 as the currency of the amounts,
 * and:
 * - $16: the tag, null if absent.
 * - $17: whether to include collaborators who are not active and have no figures.
 * - $18: the end of the stored sums.
 *
 * Sorted columns are never null: a missing conversion rate is -1, and a missing last sale an empty text.
 *
 * The parts are combined with full joins, and `offset 0` prevents the planner from replacing them. The planner expects
 * few figures, and would compare every pair of a collaborator and a row of figures.
 */
function figuresQuery(asked: FiguresRequest, isSummed: boolean, sort: PageRequest['sort']): string {
  const isConverting = asked.convertTo !== undefined;
  return `
    select j.organization_id, j.id as "collaboratorId", j.name as "collaboratorName", j.status, j.tags,
      coalesce(j.rates, '[]') as "customRates", coalesce(j.visits, 0)::bigint as visits,
      coalesce(j.leads, 0)::bigint as leads,
      coalesce(round(j.all_sales / nullif(j.visits, 0), 6), -1) as "conversionRate",
      coalesce(${lastSale(isSummed)}::text, '') as "lastSaleOn",
      ${isConverting ? '$14' : '$13'}::text as currency, coalesce(j.sales, 0)::bigint as sales,
      ${AMOUNTS.map((name) => `coalesce(j.${name}, 0)::numeric as ${name}`).join(', ')},
      coalesce(j.without_rate, '{}') as "withoutRate"${sortColumn(sort)}
    from (
      select c.*, r.rates, n.day as newest_sale, f.has_figures, f.visits, f.leads, f.all_sales, f.sales,
        ${AMOUNTS.map((name) => `f.${name}`).join(', ')}, f.without_rate
      from (
        select organization_id, id, name, status, tags from collaborators
        where organization_id = $1 and ($16::text is null or tags @> array[$16::text])
      ) c
      full join (${countedRows(asked, isSummed)}) f on f.collaborator_id = c.id
      full join (${CUSTOM_RATES}) r on r.collaborator_id = c.id
      full join (${NEWER_SALES}) n on n.collaborator_id = c.id
      offset 0
    ) j
    where j.id is not null and ($17::boolean or j.status = 'active' or j.has_figures)`;
}

/** Returns SQL for the figures of each collaborator: one row, with amounts and sales in one currency. */
function countedRows(asked: FiguresRequest, isSummed: boolean): string {
  const isConverting = asked.convertTo !== undefined;
  const inCurrency = (name: string): string => `sum(${name}) filter (where currency = $13::text)`;
  const amounts = AMOUNTS.map((name) => {
    const sum = isConverting ? roundedSum(`sum(converted_${name})`) : inCurrency(name);
    return `${sum} as ${name}`;
  });
  return `
    with ${keyedSums(asked, isSummed)}
    select key::bigint as collaborator_id, true as has_figures, sum(visits) as visits, sum(leads) as leads,
      sum(sales) as all_sales, ${isConverting ? 'sum(sales)' : inCurrency('sales')} as sales, ${amounts.join(', ')},
      ${isConverting ? 'array_agg(currency order by currency collate "C") filter (where unrated)' : 'null::text[]'} as without_rate
    from keyed group by key`;
}

/**
 * SQL for the custom rates of each collaborator in active programs. An organization has at most MAX_CUSTOM_RATES custom
 * rates.
 */
const CUSTOM_RATES = `
  select (o ->> 'collaboratorId')::bigint as collaborator_id, json_agg(json_build_object(
    'programId', p.id, 'programName', v.name, 'currency', v.currency, 'reward', o -> 'reward') order by p.id) as rates
  from programs p
  join program_versions v on v.organization_id = p.organization_id and v.program_id = p.id and v.version = p.version
  cross join lateral jsonb_array_elements(v.collaborator_rewards) o
  where p.organization_id = $1 and v.status = 'active' and v.collaborator_rewards is not null
  group by 1`;

/**
 * SQL for the last day with a sale of each collaborator, from facts that are not in the sums. The sales can be from
 * before the period, so facts are read from $18 on instead of $2.
 */
const NEWER_SALES = `
  select collaborator_id, max(day) as day
  from (${saleFacts({ grains: ['collaborator'], withLinks: false }).replaceAll('$2::', '$18::')}) s
  where collaborator_id > 0 and sales > 0 group by 1`;

/**
 * Returns SQL for the day of the last sale of the collaborator `j`. The primary key of the sums has their days in
 * order, so this reads few rows for each collaborator.
 */
function lastSale(isSummed: boolean): string {
  if (!isSummed) return 'j.newest_sale';
  return `greatest(j.newest_sale, (
    select s.day from sale_sums s
    where s.organization_id = $1 and s.collaborator_id = j.id and s.program_id = 0 and s.per = 'day' and s.sales > 0
    order by s.day desc limit 1))`;
}
