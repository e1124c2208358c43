import type { Collaborator, Program } from '@whence/sdk';
import { CircleCheck, CircleDashed } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSession } from '../session.ts';
import { start as texts } from './start-texts.ts';
import { Badge } from '#web/ui/controls/badge.tsx';
import { LinkButton } from '#web/ui/controls/button.tsx';
import { CodeBlock } from '#web/ui/controls/copy.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import { Money } from '#web/ui/controls/money.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Row, Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { Time } from '#web/ui/controls/time.tsx';
import { trialCode } from './shop-code.ts';
import { codeOf, isLeadProgram } from './trial.ts';
import { TrialNeeds } from './trial-needs.tsx';
import type { Arrivals } from './use-arrivals.ts';

const words = texts.watch;

type ArrivalsPartProps = {
  readonly arrivals: Arrivals;
  readonly secretKey: string;
  /** The program and the partner of the test. Undefined until they exist. */
  readonly program: Program | undefined;
  readonly collaborator: Collaborator | undefined;
};

/**
 * Shows commands that report a visit and a sale or lead. Also shows whether a visit, a sale or lead, and a commission
 * have arrived.
 */
export function ArrivalsPart({
  arrivals: { visit, sale, reward },
  secretKey,
  program,
  collaborator,
}: ArrivalsPartProps) {
  const { publicUrl } = useSession();
  const isLead = program !== undefined && isLeadProgram(program);
  const codes = collaborator && { tracking: codeOf(collaborator, 'tracking'), coupon: codeOf(collaborator, 'coupon') };
  // The commission is written before the sale counts as decided, so a decided sale without a commission earned nothing.
  const earnedNothing = sale?.state === 'done' && sale.transactionId !== undefined && reward === undefined;
  return (
    <Stack gap={3}>
      <Text>{words.help}</Text>
      {program !== undefined && collaborator !== undefined && (
        <TrialNeeds program={program} collaborator={collaborator} />
      )}
      <CodeBlock title={words.try} code={trialCode(publicUrl, secretKey, codes ?? {}, program)} />
      <Stack gap={2} role="status">
        <Arrival label={words.visit} has={visit !== undefined}>
          {visit !== undefined && <Time at={visit.occurredAt} />}
        </Arrival>
        <Arrival label={isLead ? words.lead : words.sale} has={sale !== undefined}>
          {sale !== undefined && <Time at={sale.occurredAt} />}
        </Arrival>
        <Arrival label={words.reward} has={reward !== undefined}>
          {reward !== undefined && (
            <>
              <Money minor={reward.amount} currency={reward.currency} />
              <Link href={`/conversions/${reward.id}`}>{words.why}</Link>
            </>
          )}
        </Arrival>
        {earnedNothing && (
          <Notice
            tone="warn"
            actions={<LinkButton href={`/sales/${sale.transactionId}`}>{words.whyNothing}</LinkButton>}
          >
            {isLead ? words.leadEarnedNothing : words.saleEarnedNothing}
          </Notice>
        )}
      </Stack>
      <Link href="/live">{words.live}</Link>
    </Stack>
  );
}

type ArrivalProps = { readonly label: string; readonly has: boolean; readonly children: ReactNode };

function Arrival({ label, has, children }: ArrivalProps) {
  return (
    <Row gap={2} align="center">
      <Badge tone={has ? 'good' : 'neutral'} icon={has ? CircleCheck : CircleDashed}>
        {label}
      </Badge>
      {has ? children : <Text tone="muted">{words.waiting}</Text>}
    </Row>
  );
}
