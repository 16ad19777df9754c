/** Condition on `course_plans`: plans that are for sale. */
export const COURSE_PLANS_FOR_SALE = `active and (access_ends_at is null or access_ends_at > now())`;
