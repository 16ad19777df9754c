import type { ApiResponse } from '../security/oauth/attack.js';

export const statuses = (responses: readonly ApiResponse[]): number[] => responses.map(({ status }) => status);
export const times = (count: number, request: (index: number) => Promise<ApiResponse>): Promise<ApiResponse[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => request(index)));

/** Expects the status for all requests within the limit, and 429 with the time to wait for the next one. */
export function expectLimit(within: readonly ApiResponse[], next: ApiResponse, status: number): void {
  expect(statuses(within)).toEqual(within.map(() => status));
  expect([next.status, Number(next.headers['retry-after']) > 0]).toEqual([429, true]);
}
