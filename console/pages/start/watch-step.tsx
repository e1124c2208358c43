import { CircleCheck, CircleDashed } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSession } from '#console/session.ts';
import { start as texts } from '#console/texts/start.ts';
import { Badge } from '#ui/badge.tsx';
import { CodeBlock } from '#ui/copy.tsx';
import { Link } from '#ui/link.tsx';
import { Money } from '#ui/money.tsx';
import { Row, Stack } from '#ui/stack.tsx';
import { Text } from '#ui/text.tsx';
import { Time } from '#ui/time.tsx';
import { trialCode } from './shop-code.ts';
import { Step } from './step.tsx';
import type { Arrivals } from './use-arrivals.ts';

const words = texts.watch;

type WatchStepProps = { readonly arrivals: Arrivals; readonly secretKey: string; readonly code: string | undefined };

/** The first visit, the first sale and the first reward, as they come in. */
export function WatchStep({ arrivals: { visit, sale, reward }, secretKey, code }: WatchStepProps) {
  const { publicUrl } = useSession();
  return (
    <Step name="watch" title={words.title} help={words.help} isDone={reward !== undefined}>
      <CodeBlock title={words.try} code={trialCode(publicUrl, secretKey, code ?? 'ada')} />
      <Stack gap={2} role="status">
        <Arrival label={words.visit} has={visit !== undefined}>
          {visit !== undefined && <Time at={visit.occurredAt} />}
        </Arrival>
        <Arrival label={words.sale} has={sale !== undefined}>
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
      </Stack>
      <Link href="/live">{words.live}</Link>
    </Step>
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
