import type { Statement } from '@lyceum/platform';
import { isPresent } from '#src/database/present-member.js';

const COLUMNS = 'session_hash, uid, site_id, person_id, payload, expires_at';
const REPLACE = `SET session_hash = excluded.session_hash, person_id = excluded.person_id, payload = excluded.payload,
           expires_at = excluded.expires_at`;
/**
 * Inserts a sign-in, unless all sessions of the person have ended since the password check ($7). Locks the rows of the
 * person and the membership: a transaction that ends sessions changes one of them first, so one of the two waits and
 * then reads the other's result.
 */
export const SESSION_BEGIN: Statement = {
  name: 'session_begin',
  text: `
    INSERT INTO sessions (${COLUMNS}, user_agent)
    SELECT $1, $2, $3, p.person_id, $5, to_timestamp($6), $8
      FROM people p JOIN site_members m ON m.person_id = p.person_id AND m.site_id = $3 AND ${isPresent('m')}
     WHERE p.person_id = $4 AND p.sign_outs = $7 FOR SHARE
    ON CONFLICT (uid) DO UPDATE ${REPLACE}, user_agent = excluded.user_agent WHERE sessions.site_id = excluded.site_id
    RETURNING uid`,
};
/** Does not write a session that has ended or was renamed since it was read ($7). */
const SAVED_SESSION = `
    UPDATE sessions SET session_hash = $1, payload = $5, expires_at = to_timestamp($6)
     WHERE session_hash = $7 AND uid = $2 AND site_id = $3 AND person_id = $4
    RETURNING uid`;
export const SESSION_SAVE: Statement = { name: 'session_save', text: SAVED_SESSION };
/** Writes the interaction also when the session has ended: its page then asks for a new sign-in. */
export const SESSION_SAVE_WITH_INTERACTION: Statement = {
  name: 'session_save_with_interaction',
  text: `
    WITH begun AS (
      INSERT INTO interactions (interaction_hash, site_id, payload, expires_at) VALUES ($8, $3, $9, to_timestamp($10))
    )${SAVED_SESSION}`,
};
/** Keeps the response of an ended interaction with the session that its cookies name. */
export const SESSION_SAVE_WITH_RESPONSE: Statement = {
  name: 'session_save_with_response',
  text: `
    WITH saved AS (${SAVED_SESSION}), kept AS (
      UPDATE interactions SET sealed_response = $9 FROM saved
       WHERE interaction_hash = $8 AND interactions.site_id = $3 AND ended_at IS NOT NULL
    )
    SELECT uid FROM saved`,
};
/** Replaces an anonymous session only; a session with a sign-in stays. */
export const SESSION_SAVE_ANONYMOUS: Statement = {
  name: 'session_save_anonymous',
  text: `
    INSERT INTO sessions AS s (${COLUMNS}) VALUES ($1, $2, $3, NULL, $4, to_timestamp($5))
    ON CONFLICT (uid) DO UPDATE ${REPLACE} WHERE s.person_id IS NULL AND s.site_id = excluded.site_id
    RETURNING uid`,
};
