import { useQueries, useQuery } from '@tanstack/react-query';
import type { Whence } from '@whence/sdk';
import { names as texts } from './names-texts.ts';
import { Link } from '#web/ui/controls/link.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';

/** The kinds of resources whose names are loaded by id. The name of a transaction is its order number. */
export type NamedKind = 'collaborators' | 'programs' | 'transactions';

export type NameProps = {
  readonly id: number;
  /** Whether the name is a link. Pass false inside another link. Default: true. */
  readonly link?: boolean | undefined;
};

/**
 * Renders the name of a partner, with a link unless `link` is false. Names that render together are loaded together.
 */
export function CollaboratorName(props: NameProps) {
  return <Name kind="collaborators" {...props} />;
}

export function ProgramName(props: NameProps) {
  return <Name kind="programs" {...props} />;
}

/** Renders the order number of a sale, lead or renewal, with a link unless `link` is false. */
export function OrderName(props: NameProps) {
  return <Name kind="transactions" {...props} />;
}

/** Returns a function that returns the name for an id, or a text such as `Partner 7` while the name is unknown. */
export function useNames(kind: NamedKind, ids: readonly number[]): (id: number) => string {
  const api = useApi();
  const known = useQueries({
    queries: [...new Set(ids)].map((id) => nameQuery(api, kind, id)),
    combine: (results) => new Map(results.flatMap(({ data }) => (data === undefined ? [] : [[data.id, data.name]]))),
  });
  return (id) => known.get(id) ?? texts.unnamed[kind](id);
}

function Name({ kind, id, link = true }: NameProps & { readonly kind: NamedKind }) {
  const { data, isPending } = useQuery(nameQuery(useApi(), kind, id));
  if (isPending) return <Skeleton width="9ch" />;
  const name = data?.name ?? texts.unnamed[kind](id);
  return link ? <Link href={`/${PAGES[kind]}/${id}`}>{name}</Link> : name;
}

const PAGES: Readonly<Record<NamedKind, string>> = {
  collaborators: 'collaborators',
  programs: 'programs',
  transactions: 'sales',
};

const FRESH_FOR_MS = 300_000;

function nameQuery(api: Whence, kind: NamedKind, id: number) {
  return {
    queryKey: [kind, 'name', id],
    queryFn: async () => ({ id, name: (await nameOf(api, kind, id)) ?? texts.unnamed[kind](id) }),
    staleTime: FRESH_FOR_MS,
  };
}

type Waiting = { readonly resolve: (name: string | undefined) => void; readonly reject: (error: unknown) => void };
type Batch = Map<number, Waiting[]>;

const batches = new WeakMap<Whence, Map<NamedKind, Batch>>();
const MOST_AT_ONCE = 100;

/**
 * Returns the name for an id, or undefined if no resource has the id. Names that are requested in the same tick are
 * loaded together, with one call for up to MOST_AT_ONCE ids.
 */
function nameOf(api: Whence, kind: NamedKind, id: number): Promise<string | undefined> {
  const ofApi = batches.get(api) ?? new Map<NamedKind, Batch>();
  batches.set(api, ofApi);
  const batch = ofApi.get(kind) ?? new Map<number, Waiting[]>();
  if (!ofApi.has(kind)) {
    ofApi.set(kind, batch);
    setTimeout(() => {
      ofApi.delete(kind);
      void answer(api, kind, batch);
    });
  }
  return new Promise((resolve, reject) => batch.set(id, [...(batch.get(id) ?? []), { resolve, reject }]));
}

async function answer(api: Whence, kind: NamedKind, batch: Batch): Promise<void> {
  const ids = [...batch.keys()];
  for (let at = 0; at < ids.length; at += MOST_AT_ONCE) {
    const some = ids.slice(at, at + MOST_AT_ONCE);
    const waiting = (id: number) => batch.get(id) ?? [];
    try {
      const names = await readNames(api, kind, { ids: some.join(','), perPage: MOST_AT_ONCE });
      for (const id of some) for (const { resolve } of waiting(id)) resolve(names.get(id));
    } catch (error) {
      for (const id of some) for (const { reject } of waiting(id)) reject(error);
    }
  }
}

async function readNames(
  api: Whence,
  kind: NamedKind,
  query: { readonly ids: string; readonly perPage: number },
): Promise<ReadonlyMap<number, string>> {
  if (kind === 'transactions') {
    const { data } = await api.transactions.list(query).page();
    return new Map(data.map(({ id, externalId }) => [id, externalId]));
  }
  const { data } = await api[kind].list(query).page();
  return new Map(data.map(({ id, name }) => [id, name]));
}
