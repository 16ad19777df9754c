import type { CourseReview } from './course-review.entity.js';

export type ReviewText = Pick<CourseReview, 'rating' | 'title' | 'body' | 'reviewed_at'>;

/** Returns true when the student wrote the review after the known one. Commands can arrive in any order. */
export function replaces(review: Pick<ReviewText, 'reviewed_at'>, known: Pick<ReviewText, 'reviewed_at'>): boolean {
  return review.reviewed_at > known.reviewed_at;
}

/** Returns the change of the number and the sum of ratings when a review is added, or replaces the known one. */
export function ratingChange(
  { rating }: Pick<ReviewText, 'rating'>,
  known: Pick<ReviewText, 'rating'> | undefined,
): { readonly count: number; readonly total: number } {
  return known === undefined ? { count: 1, total: rating } : { count: 0, total: rating - known.rating };
}
