import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { collaborators as texts } from '#console/texts/collaborators.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { useApi } from '#ui/shell/api.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { Row } from '#ui/stack.tsx';
import { Text } from '#ui/text.tsx';
import { Time } from '#ui/time.tsx';
import styles from './collaborators.module.css';

const words = texts.aliases;
/** As many as one page of a list has. */
const MOST = 100;

/** Codes that once led to somebody, on demand. */
export function RetiredAliases({ collaboratorId: id }: { readonly collaboratorId: number }) {
  const api = useApi();
  const [shown, setShown] = useState(false);
  const { data } = useQuery({
    queryKey: ['collaborators', id, 'aliases', 'retired'],
    queryFn: async ({ signal }) =>
      (await api.collaborators.listAliases(id, { status: 'retired', perPage: MOST }, { signal }).page()).data,
    enabled: shown,
  });
  if (!shown) {
    return (
      <Row>
        <Button size="small" variant="ghost" onClick={() => setShown(true)}>
          {words.showPast}
        </Button>
      </Row>
    );
  }
  return (
    <Card title={words.past}>
      {data === undefined ? (
        <Skeleton lines={2} />
      ) : data.length === 0 ? (
        <Text tone="muted">{words.noPast}</Text>
      ) : (
        <ul className={styles.list}>
          {data.map(({ id: alias, type, code, retiredAt }) => (
            <li key={alias} className={styles.item}>
              <span className={styles.code}>
                <code>{code}</code>
                <Badge>{words.types[type] ?? type}</Badge>
              </span>
              <Text tone="muted">{retiredAt !== null && <Time at={retiredAt} as="date" />}</Text>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
