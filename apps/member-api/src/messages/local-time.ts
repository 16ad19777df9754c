/**
 * SQL of an instant as text that is the same in every language: `2026-12-01 10:00 (Europe/Lisbon)`. The zone is the one
 * that the member of the membership `m` has chosen at the site, or else `zone`. Clocks that go back show an hour twice:
 * the text of such a time also has the offset, `2026-10-25 01:30 (Europe/Lisbon, UTC+01:00)`.
 */
export function memberTime(instant: string, zone: string): string {
  const own = `coalesce(m.timezone, ${zone})`;
  const local = `(${instant} at time zone ${own})`;
  const offset = `(${local} - (${instant} at time zone 'UTC'))`;
  const sign = `case when ${offset} < interval '0' then '-' else '+' end`;
  const shown = `', UTC' || ${sign} || to_char(greatest(${offset}, -${offset}), 'HH24:MI')`;
  const others = ['-', '+'].map((side) => `((${instant} ${side} interval '1 hour') at time zone ${own})`);
  return `to_char(${local}, 'YYYY-MM-DD HH24:MI') || ' (' || ${own}
    || case when ${local} in (${others.join(', ')}) then ${shown} else '' end || ')'`;
}
