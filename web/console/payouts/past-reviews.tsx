import type { Payout, PayoutFlag } from '@whence/sdk';
import { Author } from '../author.tsx';
import { OrderName } from '../names.tsx';
import { payouts as texts } from './payouts-texts.ts';
import { StatusBadge } from '#web/ui/controls/badge.tsx';
import { Card } from '#web/ui/shell/card.tsx';
import { Money } from '#web/ui/controls/money.tsx';
import { Row, Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { Time } from '#web/ui/controls/time.tsx';

/** Shows the decided flags of a payout with their decisions. Older flags than the service shows are counted. */
export function PastReviews({ payout: { review, currency } }: { readonly payout: Payout }) {
  const past = review.reasons.filter(({ resolution }) => resolution !== undefined);
  if (past.length === 0) return null;
  const older = review.reasonCount - review.reasons.length;
  return (
    <Card title={texts.review.past}>
      <Stack gap={4}>
        {past.map((flag) => (
          <PastFlag key={`${flag.obligationId} ${flag.createdAt}`} flag={flag} currency={currency} />
        ))}
        {older > 0 && (
          <Text as="p" tone="muted">
            {texts.review.older(older)}
          </Text>
        )}
      </Stack>
    </Card>
  );
}

const LOOKS: Readonly<Record<string, string>> = { keep: 'resolved', 'claw-back': 'refunded', void: 'void' };

function PastFlag({ flag, currency }: { readonly flag: PayoutFlag; readonly currency: string }) {
  const { transactionId, reason, amount, resolution = 'void', note, author, resolvedAt } = flag;
  return (
    <Stack gap={1}>
      <Row justify="spread">
        <StatusBadge status={LOOKS[resolution] ?? 'resolved'} label={texts.review.resolutions[resolution]} />
        <Money minor={amount} currency={currency} />
      </Row>
      <p>
        <OrderName id={transactionId} /> {texts.review.flags[reason]}
      </p>
      {note !== undefined && <p>{texts.review.quoted(note)}</p>}
      <Text as="p" tone="muted" size="small">
        {author !== undefined && <Author author={author} />} {resolvedAt !== undefined && <Time at={resolvedAt} />}
      </Text>
    </Stack>
  );
}
