import type { ValidationProxy } from './validation-proxy.js';

/** Reads each report of a year, by month and by day. */
export async function useAnalytics(proxy: ValidationProxy): Promise<void> {
  const year = { from: '2026-01-01', to: '2026-12-31', timezone: 'Asia/Taipei' };
  for (const report of ['Overview', 'Revenue', 'Funnel', 'Memberships', 'Attendance']) {
    for (const granularity of ['month', 'day']) {
      await proxy.send(`getAnalytics${report}`, 200, { query: { ...year, granularity } });
    }
    await proxy.send(`getAnalytics${report}`, 400, { query: { ...year, to: '2025-12-31' } });
  }
  const { data } = await proxy.send<{ data: { id: string }[] }>('listCourses', 200, { query: { limit: '1' } });
  await proxy.send('getAnalyticsFunnel', 200, { query: { ...year, course_id: data[0]?.id ?? '' } });
}
