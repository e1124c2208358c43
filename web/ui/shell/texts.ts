import { formatCount } from '../formats/numbers.ts';

/** The texts of the components that every page loads. Each page has its own texts for its content. */
export const texts = {
  failure: {
    title: 'This page could not be shown',
    outdated: 'There is a newer version of this page',
    outdatedDetail: 'The page was updated while it was open. Reload it to continue.',
    reload: 'Reload the page',
    offline: 'You’re offline',
    notLoaded: 'This page opens when the connection is back.',
    home: 'Go to the overview',
  },
  demo: 'This is a demo with invented data.',
  test: 'This is a test organization. Its orders are not real.',
  close: 'Close',
  cancel: 'Cancel',
  clear: 'Clear',
  remove: (what: string) => `Remove ${what}`,
  apply: 'Apply',
  optional: 'Optional',
  more: 'More',
  working: 'Working…',
  workingFor: (seconds: number) => `Working for ${formatCount(seconds)} seconds…`,
  loading: 'Loading…',
  copy: 'Copy',
  share: 'Share',
  copied: 'Copied',
  undo: 'Undo',
  tryAgain: 'Try again',
  breadcrumbs: 'Breadcrumbs',
  notifications: 'Notifications',

  field: {
    unreadable: 'The file can’t be read. Check that it still exists, then choose it again.',
    choose: 'Choose…',
    search: 'Search…',
    add: 'Add…',
    noMatch: 'Nothing matches.',
    showPassword: 'Show the password',
    hidePassword: 'Hide the password',
  },

  period: {
    label: 'Period',
    last7: 'Last 7 days',
    last30: 'Last 30 days',
    last90: 'Last 90 days',
    thisMonth: 'This month',
    lastMonth: 'Last month',
    thisYear: 'This year',
    zone: (timeZone: string) => `Dates are in ${timeZone}.`,
  },

  chart: {
    showTable: 'Show as table',
    showChart: 'Show as chart',
    day: 'Date',
    help: 'Use the arrow keys to move between dates.',
    helpToChoose: 'Use the arrow keys to move between dates, and Enter to open the list of a date.',
    incomplete: (dates: string) => `${dates} (so far)`,
    summary: (label: string, from: string, to: string) => `${label}, ${from} to ${to}`,
    noData: 'No data for this period.',
    rest: (count: number) => `${formatCount(count)} more`,
  },

  change: {
    up: (percent: string) => `${percent} more than before`,
    down: (percent: string) => `${percent} less than before`,
    same: 'as before',
    fresh: 'nothing before',
    new: 'new',
    points: (points: string) => `${points} points`,
  },

  qr: {
    label: (text: string) => `QR code of ${text}`,
    downloadSvg: 'SVG',
    downloadPng: 'PNG',
    download: (kind: string) => `Download as ${kind}`,
  },

  hotkeys: {
    title: 'Keyboard',
    open: 'Show this help',
    general: 'Everywhere',
  },

  theme: {
    label: 'Appearance',
    system: 'System',
    light: 'Light',
    dark: 'Dark',
  },

  offline: 'You are offline. The page continues when the connection is back.',

  progress: (done: number, of: number) => `${formatCount(done)} of ${formatCount(of)}`,
} as const;

/** Titles of problems by the codes of the API and the SDK. The problem itself contains the detail text. */
export const problemTitles: Readonly<Record<string, string>> = {
  'connection-failed': 'The service could not be reached',
  'timed-out': 'The service took too long',
  'unexpected-answer': 'The response was not understood',
  unauthenticated: 'You are not logged in',
  'scope-required': 'Your role does not allow this action',
  'tier-required': 'This action needs another tier',
  'log-in-too-old': 'Log in again to continue',
  'not-found': 'Not found',
  'not-decided': 'The sale is not decided yet',
  'precondition-failed': 'Someone else has changed this in the meantime',
  'last-owner': 'There would be no owner left',
  'invalid-transition': 'This is no longer possible',
  'invalid-request': 'Check these fields',
  'rate-limited': 'Too many requests',
  internal: 'The service failed',
  unavailable: 'The service is temporarily unavailable',
};

export const unknownProblem = 'Something went wrong';

/** Texts of the API's statuses. A status without a text is shown by its API name, with spaces instead of dashes. */
export const statusWords: Readonly<Record<string, string>> = {
  accepted: 'Accepted',
  active: 'Active',
  approved: 'Approved',
  cancelled: 'Canceled',
  complete: 'Complete',
  current: 'Current',
  deleted: 'Deleted',
  delivered: 'Delivered',
  done: 'Decided',
  draft: 'Draft',
  enrolled: 'Enrolled',
  expired: 'Expired',
  failed: 'Failed',
  flagged: 'To review',
  fulfilled: 'In a payout',
  inactive: 'Inactive',
  invalid: 'Invalid',
  invited: 'Invited',
  lost: 'Did not earn',
  merged: 'Merged',
  none: 'None',
  open: 'Open',
  paid: 'Paid',
  parked: 'Failed',
  paused: 'Paused',
  pending: 'Pending',
  processing: 'Processing',
  refunded: 'Refunded',
  rejected: 'Rejected',
  removed: 'Removed',
  resolved: 'Resolved',
  retired: 'Retired',
  revoked: 'Revoked',
  unpaid: 'Unpaid',
  valid: 'Valid',
  void: 'Void',
  won: 'Earned',
};
