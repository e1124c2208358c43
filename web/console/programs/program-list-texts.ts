import { formatCount } from '#web/ui/formats/numbers.ts';

export const programList = {
  title: 'Programs',
  description: 'Who earns, on what, and how much.',
  new: 'New program',
  backtests: 'Backtests',
  search: 'Search programs',
  label: 'Programs',
  row: (name: string) => `program ${name}`,
  name: 'Program',
  status: 'Status',
  reward: 'Reward',
  who: 'Partners',
  everyone: 'Everyone',
  enrolled: (count: number) => `${formatCount(count)} enrolled`,
  visits: 'Clicks',
  sales: 'Sales',
  revenue: 'Revenue',
  earned: 'Earned',
  created: 'Created',
  statuses: [
    { value: 'active', label: 'Active' },
    { value: 'draft', label: 'Draft' },
    { value: 'inactive', label: 'Inactive' },
    { value: 'deleted', label: 'Deleted' },
  ],
  enrollment: 'Who can join',
  enrollments: [
    { value: 'everyone', label: 'Everyone' },
    { value: 'selected', label: 'Enrolled partners only' },
  ],
  figures: 'Figures for the last 30 days.',
  emptyTitle: 'No programs yet',
  empty: 'A program defines who can earn, on what, and how much. Start with a recipe, and change what you like.',
  emptyCopy:
    'curl -X POST $WHENCE/v1/programs -H "Authorization: Bearer $KEY" -H \'Content-Type: application/json\' -d \'{"name": "Friends", "reward": {"type": "percent", "percent": 10}}\'',
};
