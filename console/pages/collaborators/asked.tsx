import { useQuery } from '@tanstack/react-query';
import { collaborators as texts } from '#console/texts/collaborators.ts';
import { useApi } from '#ui/shell/api.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { Text } from '#ui/text.tsx';
import styles from './collaborators.module.css';

/** Which programs somebody has asked for by the portal, and what they answered. */
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
