import { ShoppingCart } from 'lucide-react';
import { useMemo, useState } from 'react';
import { BarList } from '#web/ui/chart/bar-list.tsx';
import { LinkButton } from '#web/ui/controls/button.tsx';
import { Card } from '#web/ui/shell/card.tsx';
import { Count } from '#web/ui/controls/count.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { formatMoney } from '#web/ui/formats/money.ts';
import { addDays } from '#web/ui/formats/time.ts';
import * as data from './data.ts';
import { LineChart, pointOf } from '#web/ui/chart/line-chart.tsx';
import { Link } from '#web/ui/controls/link.tsx';
import { Money, MoneyList } from '#web/ui/controls/money.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Page } from '#web/ui/shell/page.tsx';
import { Percent } from '#web/ui/controls/percent.tsx';
import { PeriodPicker } from '#web/ui/overlay/period-picker.tsx';
import { Grid } from '#web/ui/controls/stack.tsx';
import { Stat } from '#web/ui/chart/stat.tsx';
import { Segmented } from '#web/ui/controls/segmented.tsx';

const money = (minor: number) => formatMoney(minor, 'USD');
const wholeMoney = (minor: number) => formatMoney(minor, 'USD', { whole: true });

export function Overview() {
  const [period, setPeriod] = useState({ from: '2026-01-02', until: '2026-02-01' });
  const [by, setBy] = useState<'revenue' | 'visits'>('revenue');
  const series = useMemo(
    () => [
      { label: 'Revenue', values: data.revenue },
      { label: 'Before', values: data.revenueBefore, before: true },
    ],
    [],
  );
  return (
    <Page
      title="Overview"
      description="What was earned, and through whom."
      actions={<PeriodPicker value={period} onChange={setPeriod} />}
    >
      <Notice tone="warn" title="These are demo data">
        Nothing here is real. <Link href="/settings">Settings</Link>
      </Notice>
      <Grid min={150} gap={3}>
        <Stat
          label="Revenue"
          value={<Money minor={1234567} currency="USD" />}
          now={1234567}
          before={1001000}
          against="before: 3 Dec – 1 Jan"
        />
        <Stat label="Sales" value={<Count value={702} />} now={702} before={731} href="/sales" />
        <Stat label="Conversion rate" value={<Percent ratio={0.0583} />} now={583} before={583} />
        <Stat
          label="Owed"
          value={
            <MoneyList
              below
              amounts={[
                { minor: 50012, currency: 'EUR' },
                { minor: 150000, currency: 'JPY' },
              ]}
            />
          }
          hint="41 collaborators"
          good="none"
        />
        <Stat label="Visits" value={undefined} hint="loading" />
      </Grid>
      <Card
        title="Revenue by day"
        actions={
          <Segmented
            label="Figure"
            value={by}
            onChange={setBy}
            options={[
              { value: 'revenue', label: 'Revenue' },
              { value: 'visits', label: 'Visits' },
            ]}
          />
        }
      >
        <LineChart
          label="Revenue by day"
          points={data.days.map((day) => pointOf({ from: day, until: addDays(day, 1) }, 'day', ''))}
          series={series}
          format={money}
          formatAxis={wholeMoney}
        />
      </Card>
      <Grid min={300}>
        <Card title="By collaborator">
          <BarList
            label="Revenue by collaborator"
            bars={data.people.map(({ label }, at) => ({
              id: label,
              label,
              value: 9000 - at * 1270,
              shown: money(900000 - at * 127000),
              href: `/collaborators/${at}`,
            }))}
            rest={{ count: 18, shown: money(1200) }}
          />
        </Card>
        <Card title="By source" description="Where the orders come from.">
          <EmptyState
            icon={ShoppingCart}
            title="No sales yet"
            copy="curl https://whence.example/v1/event/sale -H 'Authorization: Bearer sk_live_…'"
            actions={<LinkButton href="/start">Guided start</LinkButton>}
          >
            Report the first one from your server.
          </EmptyState>
        </Card>
      </Grid>
    </Page>
  );
}
