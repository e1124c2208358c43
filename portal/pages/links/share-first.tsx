import { useQuery } from '@tanstack/react-query';
import { EmptyState, type EmptyStateProps } from '#ui/empty-state.tsx';
import { useApi } from '#ui/shell/api.tsx';
import { linksQuery, mainLink } from './links-query.ts';

/** Where nothing has come yet, since it begins with a link that is shared: it is there to copy. */
export function ShareFirst(props: Omit<EmptyStateProps, 'copy'>) {
  const { data } = useQuery(linksQuery(useApi()));
  return <EmptyState {...props} copy={data && mainLink(data)?.url} />;
}
