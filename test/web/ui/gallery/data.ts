import { Chooser } from '#web/ui/form/combobox.tsx';
import type { Explanation } from '@whence/sdk';
import type { Filter } from '#web/ui/table/filters.ts';
import { daysBetween } from '#web/ui/formats/time.ts';
import type { ListPage, ListQuery } from '#web/ui/table/list-query.ts';
import type { Option } from '#web/ui/form/select.tsx';

/** A sale in the gallery. The data is always the same, so that screenshots can be compared. */
export type Sale = {
  readonly id: number;
  readonly who: string;
  readonly status: string;
  readonly minor: number;
  readonly currency: string;
  readonly program: string;
  readonly order: string;
  readonly at: string;
};

const NAMES = [
  'Ada Lovelace',
  'Grace Hopper',
  'Mary Jackson',
  'Katherine Johnson',
  'Dorothy Vaughan',
  'Radia Perlman',
  'Hedy Lamarr',
];
const STATUSES = ['pending', 'approved', 'rejected', 'approved', 'flagged', 'paid'];
const PROGRAMS = ['Friends of the shop', 'Tiered with a VIP group for those who sell most of all', 'Leads'];
const CURRENCIES = ['USD', 'EUR', 'JPY', 'CAD'];
/** The time of the newest sale. It is long past, so that relative times are shown as dates. */
const NEWEST = Date.UTC(2026, 0, 31, 9, 30);

export const sales: readonly Sale[] = Array.from({ length: 61 }, (_, at) => ({
  id: 61 - at,
  who: NAMES[at % NAMES.length] ?? '',
  status: STATUSES[(at * 5) % STATUSES.length] ?? '',
  minor: at % 9 === 0 ? 0 : ((at * 7919) % 90_000) * (at % 7 === 3 ? 1_000 : 1) + 95,
  currency: CURRENCIES[at % CURRENCIES.length] ?? '',
  program: PROGRAMS[at % PROGRAMS.length] ?? '',
  order: `order-${1061 - at}`,
  at: new Date(NEWEST - at * 4_000_000).toISOString(),
}));

const ROWS_A_PAGE = 12;

/** Returns a page of sales. Rejects a sort by `at`, like the API if a list is too long to sort. */
export function loadSales(query: ListQuery): Promise<ListPage<Sale>> {
  if (query.sort?.endsWith('at') === true) return Promise.reject(new Error('More than 50 rows can’t be sorted by at.'));
  const found = sales
    .filter((sale) => query['status'] === undefined || sale.status === query['status'])
    .filter((sale) => query['collaboratorId'] === undefined || sale.who === query['collaboratorId'])
    .toSorted(orderOf(query.sort ?? '-id'));
  const from = Number(query.after ?? 0);
  const to = from + ROWS_A_PAGE;
  const next = to < found.length ? String(to) : undefined;
  return Promise.resolve({ rows: found.slice(from, to), estimatedCount: found.length, next });
}

function orderOf(sort: string): (one: Sale, other: Sale) => number {
  const field = sort.replace('-', '');
  const sign = sort.startsWith('-') ? -1 : 1;
  return (one, other) => sign * (field === 'amount' ? one.minor - other.minor : one.id - other.id);
}

export const people: readonly Option[] = NAMES.map((name) => ({
  value: name,
  label: name,
  description: `${name.toLowerCase().replace(' ', '.')}@example.com`,
}));

export function loadPeople(text: string): Promise<readonly Option[]> {
  return Promise.resolve(people.filter(({ label }) => label.toLowerCase().includes(text.toLowerCase())));
}

export function findPerson(value: string): Promise<Option | undefined> {
  return Promise.resolve(people.find((person) => person.value === value));
}

export const saleFilters: readonly Filter[] = [
  {
    id: 'status',
    label: 'Status',
    kind: 'choice',
    name: 'status',
    options: ['pending', 'approved', 'rejected'].map((value) => ({ value, label: value })),
  },
  {
    id: 'who',
    label: 'Collaborator',
    kind: 'lookup',
    name: 'collaboratorId',
    chooser: Chooser,
    load: loadPeople,
    find: findPerson,
  },
  { id: 'when', label: 'Created', kind: 'period', from: 'createdFrom', until: 'createdUntil' },
];

/** Returns a CSV response whose last part is sent only when the window receives the event `rest-of-file`. */
export function longFile(): Response {
  const body = new ReadableStream<Uint8Array>({
    start: (stream) => {
      const write = (rows: number) => stream.enqueue(new TextEncoder().encode('1,2\r\n'.repeat(rows)));
      write(1 + 2_000);
      const finish = () => {
        write(1_000);
        stream.close();
      };
      addEventListener('rest-of-file', finish, { once: true });
    },
  });
  return new Response(body, { headers: { 'x-service-estimated-count': '3000' } });
}

export const days = daysBetween('2026-01-02', '2026-02-01');
export const revenue = days.map((_, at) =>
  Math.round(48_000 + 26_000 * Math.sin(at / 3.1) + at * 1_900 + ((at * 37) % 11) * 3_100),
);
export const revenueBefore = days.map((_, at) =>
  Math.round(41_000 + 20_000 * Math.sin((at + 4) / 3.4) + ((at * 53) % 13) * 2_300),
);

const decided = { programId: 5, programVersion: 2, programName: 'Friends' };

export const explanation: Explanation = {
  transactionId: 31,
  kind: 'sale',
  decidedAt: '2026-11-21T09:30:01.000Z',
  base: 22_500,
  currency: 'USD',
  candidates: [
    {
      ...decided,
      collaboratorId: 7,
      collaboratorName: 'Ann',
      outcome: 'won',
      reason: 'cap-reached',
      engagementId: 21,
      score: 3,
      firstAt: '2026-11-20T08:00:00.000Z',
      lastAt: '2026-11-21T09:00:00.000Z',
      share: 1_000,
      hold: { reasons: ['quick-sale'] },
      holds: ['the time since the first touch was shorter than the program allows: 10 seconds'],
      steps: [
        '15% of 200.00 USD of the lines that pass the program’s filter (tier from 10 conversions, with 12 counted that month), weight 3 of 4',
        'The sum of all shares is 32.50 USD',
        'The cap per order reduces this to 30.00 USD',
        'The share is 20.77 USD',
        'The cap of 300.00 USD a month, with 290.00 USD awarded before, reduces this to 10.00 USD',
      ],
    },
    {
      ...decided,
      collaboratorId: 8,
      outcome: 'lost',
      reason: 'lost-to-newer',
      engagementId: 20,
      score: 1,
      firstAt: '2026-11-18T19:20:00.000Z',
      lastAt: '2026-11-18T19:20:00.000Z',
      why: 'a newer touch gets the credit: Ann (collaborator 7)',
    },
  ],
  omitted: 3,
  conversions: [
    {
      ...decided,
      id: 41,
      type: 'sale',
      collaboratorId: 7,
      collaboratorName: 'Ann',
      awarded: 1_000,
      amount: 900,
      currency: 'USD',
      status: 'pending',
      review: 'held',
      awardedAt: '2026-11-21T09:30:01.000Z',
    },
    {
      ...decided,
      id: 42,
      type: 'manual',
      collaboratorId: 9,
      collaboratorName: 'Cy',
      awarded: 500,
      amount: 500,
      currency: 'USD',
      status: 'rejected',
      reason: 'refunded',
      author: 'person 5',
      note: 'Ordered by phone',
      awardedAt: '2026-11-22T10:00:00.000Z',
      steps: ['10% of 50.00 USD = 5.00 USD'],
    },
  ],
  refunds: [{ at: '2026-11-25T10:00:00.000Z', kind: 'amount', amount: 2_000, refundId: 'r-1' }],
  corrections: [{ at: '2026-11-24T10:00:00.000Z', correctionId: 'c-1', total: 23_000 }],
  text: 'Sale “order-1001” from “shop” (transaction 31) on 2026-11-21 09:30:00 UTC: total 230.00 USD. 1 collaborator earned.',
};

export const problem = {
  code: 'invalid-request',
  status: 422,
  detail: '/name: This field is required. /terms: It is taken.',
  errors: [
    { pointer: '/name', code: 'required', detail: 'This field is required.' },
    { pointer: '/terms/0', code: 'taken', detail: 'Another program has these terms.' },
  ],
};
