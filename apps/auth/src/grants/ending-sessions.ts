/** Ends the sessions that match the condition and audits each. $1 is the reason. */
export function endingSessions(condition: string): string {
  return `
    WITH ended AS (
      DELETE FROM sessions WHERE ${condition} AND person_id IS NOT NULL AND expires_at > now()
      RETURNING site_id, person_id
    )
    INSERT INTO audit_log (event, site_id, person_id, details)
    SELECT 'session.ended', site_id, person_id, jsonb_build_object('reason', $1::text) FROM ended`;
}
