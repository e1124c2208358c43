import { Eye, RotateCcw, ShoppingCart } from 'lucide-react';
import { useState } from 'react';
import { StatusBadge } from '#web/ui/controls/badge.tsx';
import { Card } from '#web/ui/shell/card.tsx';
import { CodeBlock, CopyId, CopyLine } from '#web/ui/controls/copy.tsx';
import { ErrorPanel } from '#web/ui/feedback/error-panel.tsx';
import { Explanation } from '#web/ui/explanation/explanation.tsx';
import * as data from './data.ts';
import { Money } from '#web/ui/controls/money.tsx';
import { Facts, Page } from '#web/ui/shell/page.tsx';
import { Progress } from '#web/ui/feedback/progress.tsx';
import { QrCode } from '#web/ui/controls/qr-code.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Grid, Row, Stack } from '#web/ui/controls/stack.tsx';
import { Tabs } from '#web/ui/controls/tabs.tsx';
import { Time } from '#web/ui/controls/time.tsx';
import { Timeline } from '#web/ui/chart/timeline.tsx';

export function Words() {
  const [tab, setTab] = useState<'why' | 'journey' | 'facts'>('why');
  return (
    <Page
      title="Sale order-1001"
      badge={<StatusBadge status="complete" />}
      breadcrumbs={[{ label: 'Sales', href: '/sales' }]}
    >
      <Tabs
        label="Parts of the sale"
        value={tab}
        onChange={setTab}
        tabs={[
          {
            value: 'why',
            label: 'Why',
            content: (
              <Card title="Why">
                <Explanation explanation={data.explanation} links={{ collaborator: (id) => `/collaborators/${id}` }} />
              </Card>
            ),
          },
          {
            value: 'journey',
            label: 'Journey',
            count: 3,
            content: (
              <Card title="Journey">
                <Journey />
              </Card>
            ),
          },
          { value: 'facts', label: 'Facts', content: <FactsPart /> },
        ]}
      />
      <ErrorPanel error={{ code: 'unavailable', detail: 'The database is restarting.' }} onRetry={() => undefined} />
      <Row gap={2}>
        {[
          'pending',
          'approved',
          'rejected',
          'draft',
          'active',
          'inactive',
          'refunded',
          'processing',
          'flagged',
          'paid',
          'void',
          'parked',
          'paused',
        ].map((status) => (
          <StatusBadge key={status} status={status} />
        ))}
      </Row>
    </Page>
  );
}

function Journey() {
  return (
    <Timeline
      label="Journey"
      items={[
        {
          id: 1,
          at: '2026-01-21T09:30:00Z',
          title: 'First visit by Ada’s link',
          icon: Eye,
          tone: 'info',
          children: 'tracking:ada',
        },
        {
          id: 2,
          at: '2026-01-21T09:42:00Z',
          title: 'Sale order-1001',
          icon: ShoppingCart,
          tone: 'good',
          children: <Money minor={4999} currency="USD" />,
        },
        { id: 3, at: '2026-01-25T10:00:00Z', title: 'Partly refunded', icon: RotateCcw, tone: 'warn' },
      ]}
    />
  );
}

function FactsPart() {
  return (
    <Grid min={320}>
      <Card title="Link">
        <Stack>
          <CopyLine text="https://shop.example/?ref=ada&utm_source=newsletter&utm_campaign=winter-sale-of-the-year" />
          <QrCode text="https://shop.example/?ref=ada" fileName="ada" />
          <CodeBlock
            title="Node.js"
            code={
              "import { Whence } from '@whence/sdk';\nconst whence = new Whence({ baseUrl, apiKey });\nawait whence.report.sale({ source: 'shop', externalId: '1001', total: 49.99, trackingId });"
            }
          />
        </Stack>
      </Card>
      <Card title="Facts">
        <Stack>
          <Facts
            items={[
              { label: 'Created', value: <Time at="2026-01-21T09:42:00Z" as="datetime" /> },
              { label: 'Id', value: <CopyId text="5214909912345678" /> },
              { label: 'Total', value: <Money minor={-4999} currency="CAD" /> },
              { label: 'Left out', value: undefined },
            ]}
          />
          <Facts
            beside
            items={[
              { label: 'Draft', value: <Money minor={10} currency="EUR" /> },
              { label: 'Pending', value: <Money minor={1234} currency="EUR" sign /> },
            ]}
          />
          <Progress label="Exporting" done={4200} of={10000} />
          <Skeleton lines={3} />
        </Stack>
      </Card>
    </Grid>
  );
}
