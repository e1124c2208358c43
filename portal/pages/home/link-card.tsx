import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link2, QrCode as QrIcon } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { linksQuery, mainLink } from '#portal/pages/links/links-query.ts';
import { home } from '#portal/texts/home.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { CopyButton } from '#ui/copy.tsx';
import { ErrorPanel } from '#ui/error-panel.tsx';
import { Link } from '#ui/link.tsx';
import { QrCode } from '#ui/qr-code.tsx';
import { useApi } from '#ui/shell/api.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { Stack } from '#ui/stack.tsx';
import styles from './home.module.css';

const texts = home.link;

/** It comes when it is asked for. */
const LinkDialog = lazy(() =>
  import('#portal/pages/links/link-dialog.tsx').then((module) => ({ default: module.LinkDialog })),
);

/** The link to share, ready to be copied. */
export function LinkCard() {
  const { data, error, refetch } = useQuery(linksQuery(useApi()));
  const [showsQr, setShowsQr] = useState(false);
  if (error !== null) return <ErrorPanel error={error} onRetry={() => void refetch()} />;
  if (data === undefined) {
    return (
      <Card title={texts.title} className={styles.hero}>
        <Skeleton height={132} />
      </Card>
    );
  }
  const link = mainLink(data);
  if (link === undefined) return <NoLink />;
  return (
    <Card
      title={texts.title}
      description={texts.description}
      actions={<Link href="/links">{texts.more}</Link>}
      className={styles.hero}
    >
      <div className={styles.share}>
        <Stack gap={3}>
          <div className={styles.url}>{link.url}</div>
          <div className={styles.copy}>
            <CopyButton text={link.url} label={texts.copy} variant="primary" size="large" />
            <Button size="large" icon={QrIcon} onClick={() => setShowsQr(true)}>
              {texts.qr}
            </Button>
          </div>
        </Stack>
        <div className={styles.scan}>
          <QrCode text={link.url} size={116} />
        </div>
      </div>
      <Suspense>{showsQr && <LinkDialog link={link} onClose={() => setShowsQr(false)} />}</Suspense>
    </Card>
  );
}

/** Of somebody whom the merchant has made without one. */
function NoLink() {
  const api = useApi();
  const queryClient = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.portal.createLink(),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['portal', 'links'] }),
  });
  return (
    <Card title={texts.none} description={texts.noneDetail} className={styles.hero}>
      <Stack gap={3}>
        {error !== null && <ErrorPanel error={error} />}
        <div className={styles.copy}>
          <Button variant="primary" size="large" icon={Link2} busy={isPending} onClick={() => mutate()}>
            {texts.make}
          </Button>
        </div>
      </Stack>
    </Card>
  );
}
