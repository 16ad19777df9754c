import type { AuditRow } from '#src/audit/audit-row.js';
import { auditCsv } from './audit.csv.js';

const ROW: AuditRow = {
  audit_id: '1',
  occurred_at: new Date('2026-11-20T08:00:00Z'),
  event: 'member.removed',
  client_id: null,
  client_name: 'one\rtwo',
  details: {},
  email: null,
  person_name: '\n=1+1',
  actor_name: null,
};

it('escapes a formula after LF, and puts CR in quotes', async () => {
  const batches = (async function* () {
    await Promise.resolve();
    yield [ROW];
  })();
  const parts: unknown[] = [];
  for await (const part of auditCsv(batches).body) parts.push(part);
  expect(parts.join('')).toContain(`,"'\n=1+1",,"one\rtwo",,{},`);
});
