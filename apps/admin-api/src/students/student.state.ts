export const STUDENT_STATES = ['active', 'removed'] as const;
export type StudentState = (typeof STUDENT_STATES)[number];
