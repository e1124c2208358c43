import type { DraftResult } from './backtest-query.ts';
import styles from './backtests.module.css';
import { backtests as texts } from './backtests-texts.ts';
import { Link } from '#web/ui/controls/link.tsx';
import { Money } from '#web/ui/controls/money.tsx';
import { Row, Stack } from '#web/ui/controls/stack.tsx';
import { Card } from '#web/ui/shell/card.tsx';

const words = texts.details;

type Sale = DraftResult['differences'][number];

/** Shows sales with both explanations beside each other. */
export function Differences({ sales }: { readonly sales: readonly Sale[] }) {
  return (
    <Stack gap={4}>
      {sales.map((sale) => (
        <Card
          key={sale.transactionId}
          title={<Link href={`/sales/${sale.transactionId}`}>{sale.externalId}</Link>}
          actions={<Money minor={sale.drafted - sale.recorded} currency={sale.currency} sign />}
        >
          <div className={styles.both}>
            <Side title={words.recorded} amount={sale.recorded} currency={sale.currency} text={sale.recordedText} />
            <Side title={words.drafted} amount={sale.drafted} currency={sale.currency} text={sale.draftedText} />
          </div>
        </Card>
      ))}
    </Stack>
  );
}

type SideProps = { readonly title: string; readonly amount: number; readonly currency: string; readonly text: string };

function Side({ title, amount, currency, text }: SideProps) {
  return (
    <section className={styles.side} aria-label={title}>
      <Row justify="spread">
        <strong>{title}</strong>
        <Money minor={amount} currency={currency} />
      </Row>
      <ul className={styles.facts}>
        {text.split('\n').map((fact, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the facts of a text never change their order
          <li key={index}>{fact}</li>
        ))}
      </ul>
    </section>
  );
}
