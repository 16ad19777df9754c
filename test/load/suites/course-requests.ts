import { randomUUID } from 'node:crypto';
import type { Operator } from '../data/operators.ts';
import type { LoadRequest } from '../suite.ts';

/** @param what `/<id>` of a course, or the query of a list. */
export function readCourses({ host, token }: Operator, what: string): LoadRequest {
  return { method: 'GET', path: `/api/v1/courses${what}`, headers: { host, authorization: `Bearer ${token}` } };
}

/** Creations, each with a new slug and idempotency key. */
export function createCourses(operators: readonly Operator[], count: number): LoadRequest[] {
  return Array.from({ length: count }, (_, n) => {
    const { host, token } = operators[n % operators.length]!;
    const headers = { host, authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const course = {
      slug: `course-${randomUUID()}`,
      name: 'Watercolor basics',
      subtitle: 'Light, water and patience',
      tags: ['art', 'beginners'],
    };
    return {
      method: 'POST',
      path: '/api/v1/courses',
      headers: { ...headers, 'idempotency-key': randomUUID() },
      body: JSON.stringify(course),
    };
  });
}
