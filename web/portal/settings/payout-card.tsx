import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { PortalAccount } from '@whence/sdk';
import { Landmark, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { useSession } from '../session.ts';
import { settings } from './settings-texts.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Card } from '#web/ui/shell/card.tsx';
import { payoutFacts, payoutWords } from '#web/ui/formats/payout-words.ts';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { LazyConfirmDialog } from '#web/ui/overlay/lazy-dialog.tsx';
import { Facts } from '#web/ui/shell/page.tsx';
import { useApi } from '#web/ui/shell/api.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Row, Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { Time } from '#web/ui/controls/time.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import { accountQuery } from './account-query.ts';
import { PayoutForm } from './payout-form.tsx';
import styles from './settings.module.css';

const texts = settings.payout;

type Details = NonNullable<PortalAccount['payoutDetails']>;

/** Shows the partner's payout details and who can see them. The partner can change or remove the details. */
export function PayoutCard() {
  const { portal } = useSession();
  const { data, error, refetch } = useQuery(accountQuery(useApi()));
  const [editing, setEditing] = useState(false);
  const details = data?.payoutDetails;
  return (
    <Card title={texts.title}>
      <Stack gap={4}>
        {error !== null && <ErrorPanel error={error} onRetry={() => void refetch()} />}
        {data === undefined && error === null && <Skeleton height={120} />}
        {editing ? (
          <PayoutForm before={details ?? null} onClose={() => setEditing(false)} />
        ) : (
          <>
            {details === null && <NoDetails onGive={() => setEditing(true)} />}
            {details !== undefined && details !== null && <Given details={details} onChange={() => setEditing(true)} />}
          </>
        )}
        <div className={styles.privacy}>
          <ShieldCheck aria-hidden />
          <div>
            <h3>{texts.privacyTitle}</h3>
            <ul>
              {texts.privacy(portal.name).map((sentence) => (
                <li key={sentence}>{sentence}</li>
              ))}
            </ul>
          </div>
        </div>
      </Stack>
    </Card>
  );
}

function NoDetails({ onGive }: { readonly onGive: () => void }) {
  const { portal } = useSession();
  return (
    <Stack gap={3} align="start">
      <Text>{texts.none(portal.name)}</Text>
      <Button variant="primary" icon={Landmark} onClick={onGive}>
        {texts.give}
      </Button>
    </Stack>
  );
}

function Given({ details, onChange }: { readonly details: Details; readonly onChange: () => void }) {
  const api = useApi();
  const queryClient = useQueryClient();
  const [asking, setAsking] = useState(false);
  const remove = async (): Promise<void> => {
    queryClient.setQueryData(accountQuery(api).queryKey, await api.portal.changeAccount({ payoutDetails: null }));
    toast.success(texts.removed);
  };
  return (
    <Stack gap={3}>
      <Facts
        items={[
          { label: payoutWords.method, value: payoutWords.methods[details.method] },
          ...payoutFacts(details).map(({ label, text }) => ({ label, value: text })),
          { label: payoutWords.updatedAt, value: <Time at={details.updatedAt} /> },
        ]}
      />
      <Row>
        <Button onClick={onChange}>{texts.change}</Button>
        <Button variant="ghost" onClick={() => setAsking(true)}>
          {texts.remove}
        </Button>
      </Row>
      <LazyConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={texts.removeTitle}
        confirmLabel={texts.removeConfirm}
        danger
        onConfirm={remove}
      >
        {texts.removeDetail}
      </LazyConfirmDialog>
    </Stack>
  );
}
