import { useQuery } from '@tanstack/react-query';
import { EmptyState, type EmptyStateProps } from '#web/ui/feedback/empty-state.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { linksQuery, mainLink, sharedUrl } from './links-query.ts';

/** Shows an empty state with the main link of the partner, while there are no results yet. */
export function ShareFirst(props: Omit<EmptyStateProps, 'copy'>) {
  const { data } = useQuery(linksQuery(useApi()));
  const main = data && mainLink(data);
  return <EmptyState {...props} copy={main && sharedUrl(main)} />;
}
