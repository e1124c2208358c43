import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link2, QrCode as QrIcon } from 'lucide-react';
import { useState } from 'react';
import { LinkDialog } from '../links/link-dialog.tsx';
import { linksQuery, mainLink, sharedUrl } from '../links/links-query.ts';
import { home } from './home-texts.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Card } from '#web/ui/shell/card.tsx';
import { CopyButton } from '#web/ui/controls/copy.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import { QrCode } from '#web/ui/controls/qr-code.tsx';
import { ShareButton } from '#web/ui/controls/share.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Stack } from '#web/ui/controls/stack.tsx';
import styles from './home.module.css';

const texts = home.link;

/** Shows the main link of the partner and its QR code, with buttons to copy, share and save them. */
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
  const url = sharedUrl(link);
  return (
    <Card
      title={texts.title}
      description={texts.description}
      actions={<Link href="/links">{texts.more}</Link>}
      className={styles.hero}
    >
      <div className={styles.share}>
        <Stack gap={3}>
          <div className={styles.url}>{url}</div>
          <div className={styles.copy}>
            <CopyButton text={url} label={texts.copy} variant="primary" size="large" />
            <Button size="large" icon={QrIcon} onClick={() => setShowsQr(true)}>
              {texts.qr}
            </Button>
            <ShareButton url={url} size="large" />
          </div>
        </Stack>
        <div className={styles.scan}>
          <QrCode text={url} size={116} />
        </div>
      </div>
      {showsQr && <LinkDialog link={link} onClose={() => setShowsQr(false)} />}
    </Card>
  );
}

/** Offers to create a link if the merchant has added the partner without a link. */
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
