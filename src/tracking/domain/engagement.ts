export const ENGAGEMENT_STATUSES = ['active', 'complete', 'invalid'] as const;

export const OPPORTUNITY_STATUSES = ['active', 'merged', 'invalid'] as const;
