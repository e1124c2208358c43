import type { PaymentResults } from '@whence/sdk';
import { FileUp, Upload } from 'lucide-react';
import { type ChangeEvent, useRef, useState } from 'react';
import { useCall } from '#web/ui/shell/call.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import { Money } from '#web/ui/controls/money.tsx';
import { Row, Stack } from '#web/ui/controls/stack.tsx';
import { Text } from '#web/ui/controls/text.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import { readText } from '#web/ui/form/read-file.ts';
import { shownProblem } from '#web/ui/feedback/shown-problem.ts';
import { CHANGED } from './changed.ts';
import { payouts } from './payouts-texts.ts';
import styles from './payouts.module.css';
import { results as texts } from './results-texts.ts';
import { useFirstLines } from './use-first.tsx';

/** The maximum length of a result file in the API, in characters. */
const MAX_CHARACTERS = 1_000_000;

type Payments = PaymentResults['payments'];
type Previewed = { readonly file: string; readonly results: PaymentResults };

/** The state of the dialog that a button opens. The page keeps it in the URL. */
export type DialogButtonProps = {
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
};

/** Marks payouts as paid or failed with the result file of a bank or payment service, after a preview. */
export function ImportResultsButton({ isOpen, onOpenChange }: DialogButtonProps) {
  const close = (): void => onOpenChange(false);
  return (
    <>
      <Button icon={FileUp} onClick={() => onOpenChange(true)}>
        {texts.button}
      </Button>
      <Dialog open={isOpen} onClose={close} title={texts.title} description={texts.description}>
        {isOpen && <Import onClose={close} />}
      </Dialog>
    </>
  );
}

function Import({ onClose }: { readonly onClose: () => void }) {
  const input = useRef<HTMLInputElement>(null);
  const [fault, setFault] = useState<string>();
  const preview = useCall(async (api, file: string): Promise<Previewed> => ({
    file,
    results: await api.payouts.previewResults({ file }),
  }));
  const save = useCall((api, file: string) => api.payouts.importResults({ file }), {
    reloads: CHANGED,
    done: ({ payments }) => texts.saved(countOf(payments, 'paid'), countOf(payments, 'failed')),
    onDone: onClose,
  });
  const read = async (event: ChangeEvent<HTMLInputElement>): Promise<void> => {
    const [chosen] = event.target.files ?? [];
    // Browsers report no change when the user chooses the same file again, so clear the input.
    event.target.value = '';
    if (chosen === undefined) return;
    save.reset();
    try {
      const file = await readText(chosen);
      const isTooLarge = file.length > MAX_CHARACTERS;
      setFault(isTooLarge ? texts.tooLarge : undefined);
      if (!isTooLarge) preview.mutate(file);
    } catch (thrown) {
      setFault(shownProblem(thrown).detail);
    }
  };
  const { data } = preview;
  const error = preview.error ?? save.error;
  const changes = data === undefined ? 0 : countOf(data.results.payments, 'paid', 'failed');
  return (
    <Stack gap={3}>
      <input
        ref={input}
        type="file"
        accept=".csv,.xml,.txt,text/csv,application/xml"
        hidden
        onChange={(event) => void read(event)}
      />
      {fault !== undefined && <Notice tone="warn" title={fault} />}
      {error !== null && <ErrorPanel error={error} />}
      {data !== undefined && <Summary results={data.results} />}
      <Row justify="end">
        <Button icon={Upload} busy={preview.isPending} onClick={() => input.current?.click()}>
          {data === undefined ? texts.choose : texts.another}
        </Button>
        {data !== undefined && changes > 0 && (
          <Button variant="primary" busy={save.isPending} onClick={() => save.mutate(data.file)}>
            {texts.save}
          </Button>
        )}
      </Row>
    </Stack>
  );
}

type Outcome = Payments[number]['outcome'];

const SAME: readonly Outcome[] = ['unchanged', 'pending', 'superseded'];

function countOf(payments: Payments, ...outcomes: readonly Outcome[]): number {
  return payments.filter(({ outcome }) => outcomes.includes(outcome)).length;
}

function Summary({ results: { payments, others } }: { readonly results: PaymentResults }) {
  const [paid, failed, same] = [countOf(payments, 'paid'), countOf(payments, 'failed'), countOf(payments, ...SAME)];
  const refused = payments.length - paid - failed - same;
  // Show refused and failed payments first, because they need attention.
  const sorted = payments
    .map((payment, line) => ({ ...payment, line }))
    .toSorted((a, b) => rankOf(a.outcome) - rankOf(b.outcome));
  const { shown, more } = useFirstLines(sorted);
  return (
    <>
      <Notice tone={refused > 0 ? 'warn' : 'info'} title={paid + failed === 0 ? texts.nothing : undefined}>
        {paid > 0 && <p>{texts.paid(paid)}</p>}
        {failed > 0 && <p>{texts.failed(failed)}</p>}
        {same > 0 && <p>{texts.same(same)}</p>}
        {refused > 0 && <p>{texts.refused(refused)}</p>}
        {others > 0 && <p>{texts.others(others)}</p>}
      </Notice>
      {payments.length > 0 && (
        <section className={styles.planned}>
          <h3 className={styles.plannedHead}>{texts.list}</h3>
          <ul className={styles.lines}>
            {shown.map(({ line, ...payment }) => (
              <PaymentLine key={line} payment={payment} />
            ))}
            {more}
          </ul>
        </section>
      )}
    </>
  );
}

function rankOf(outcome: Outcome): number {
  if (SAME.includes(outcome)) return 3;
  if (outcome === 'paid') return 2;
  return outcome === 'failed' ? 1 : 0;
}

function PaymentLine({
  payment: { payoutId, outcome, amount, currency, reason },
}: {
  readonly payment: Payments[number];
}) {
  return (
    <li className={styles.line}>
      <span className={styles.name}>
        {outcome === 'not-found' ? (
          payouts.payout(payoutId)
        ) : (
          <Link href={`/payouts/${payoutId}`}>{payouts.payout(payoutId)}</Link>
        )}
        <Text as="div" tone="muted" size="small">
          {[texts.outcomes[outcome], reason].filter((text) => text !== null).join(': ')}
        </Text>
      </span>
      {amount !== null && currency !== null && <Money minor={amount} currency={currency} />}
    </li>
  );
}
