import { useQuery } from '@tanstack/react-query';
import { collaborators as texts } from './collaborators-texts.ts';
import { useApi } from '#web/ui/shell/api.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import styles from './collaborators.module.css';

/**
 * Shows the programs that a partner applied to in the portal, with the answers. Without an application, says that the
 * partner was added manually.
 */
export function Asked({ id }: { readonly id: number }) {
  const api = useApi();
  const { data } = useQuery({
    queryKey: ['collaborators', id, 'sign-ups'],
    queryFn: async ({ signal }) => (await api.collaborators.listSignUps(id, {}, { signal }).page()).data,
  });
  if (data === undefined) return <Skeleton width="16ch" />;
  if (data.length === 0) return <Text tone="faint">{texts.list.byHand}</Text>;
  return (
    <span className={styles.asked}>
      {data.map(({ id: signUp, programName, application }) => (
        <span key={signUp}>
          {programName}
          {application !== null && (
            <Text as="p" size="small" tone="muted" className={styles.answer}>
              {application}
            </Text>
          )}
        </span>
      ))}
    </span>
  );
}
