/**
 * SQL of an instant as text that is the same in every language: `2026-12-01 10:00 (Europe/Lisbon)`. The zone is the one
 * that the member of the membership `m` has chosen at the site, or else `zone`.
 */
export function memberTime(instant: string, zone: string): string {
  const own = `coalesce(m.timezone, ${zone})`;
  return `to_char(${instant} at time zone ${own}, 'YYYY-MM-DD HH24:MI') || ' (' || ${own} || ')'`;
}
