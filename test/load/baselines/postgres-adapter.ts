import type { Adapter, AdapterPayload } from 'oidc-provider';
import type pg from 'pg';

/** One table for all models, as in the adapters that oidc-provider's documentation points to. */
export const TABLE = `
  CREATE TABLE oidc_payloads (
    id          text NOT NULL,
    type        text NOT NULL,
    payload     jsonb NOT NULL,
    grant_id    text,
    user_code   text,
    uid         text,
    expires_at  timestamptz,
    consumed_at timestamptz,
    PRIMARY KEY (id, type)
  );
  CREATE INDEX ON oidc_payloads (grant_id);
  CREATE INDEX ON oidc_payloads (uid);
  CREATE INDEX ON oidc_payloads (user_code);
  CREATE INDEX ON oidc_payloads (expires_at)`;

interface Row {
  readonly payload: AdapterPayload;
  readonly consumed_at: Date | null;
}

const FIND = 'SELECT payload, consumed_at FROM oidc_payloads WHERE type = $1 AND';
const VALID = '(expires_at IS NULL OR expires_at > now())';

export function postgresAdapter(pool: pg.Pool): (type: string) => Adapter {
  const find = async (by: 'id' | 'uid' | 'user_code', type: string, value: string) => {
    const statement = { name: `find_${by}`, text: `${FIND} ${by} = $2 AND ${VALID}`, values: [type, value] };
    const [row] = (await pool.query<Row>(statement)).rows;
    return row && { ...row.payload, ...(row.consumed_at ? { consumed: true } : {}) };
  };
  const run = async (name: string, text: string, values: unknown[]) => void (await pool.query({ name, text, values }));
  return (type) => ({
    find: (id) => find('id', type, id),
    findByUid: (uid) => find('uid', type, uid),
    findByUserCode: (code) => find('user_code', type, code),
    upsert: (id, payload, expiresIn) =>
      run(
        'upsert',
        `INSERT INTO oidc_payloads (id, type, payload, grant_id, user_code, uid, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7))
         ON CONFLICT (id, type) DO UPDATE SET payload = excluded.payload, grant_id = excluded.grant_id,
           user_code = excluded.user_code, uid = excluded.uid, expires_at = excluded.expires_at`,
        [id, type, payload, payload.grantId, payload.userCode, payload.uid, expiresIn ?? null],
      ),
    consume: (id) =>
      run('consume', 'UPDATE oidc_payloads SET consumed_at = now() WHERE id = $1 AND type = $2', [id, type]),
    destroy: (id) => run('destroy', 'DELETE FROM oidc_payloads WHERE id = $1 AND type = $2', [id, type]),
    revokeByGrantId: (grantId) => run('revoke', 'DELETE FROM oidc_payloads WHERE grant_id = $1', [grantId]),
  });
}
