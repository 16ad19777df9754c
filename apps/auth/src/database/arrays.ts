/**
 * Array parameters $1, $2, … for `unnest`. PostgreSQL sees the length of a plain parameter when it plans for its value,
 * and assumes ten elements otherwise: the plan for any values then looks more expensive, and each execution is planned
 * again. It sees no length through a subquery, so the statement keeps one plan.
 */
export function arrays(...types: readonly string[]): string {
  return types.map((type, index) => `(select $${index + 1}::${type}[])`).join(', ');
}
