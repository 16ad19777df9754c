import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const root = join(__dirname, '../..');
const production = execFileSync('git', ['ls-files', 'apps', 'libs'], { cwd: root, encoding: 'utf8' })
  .trim()
  .split('\n')
  .filter((file) => /^(?:apps|libs)\/[^/]+\/src\/.+\.ts$/.test(file) && !file.endsWith('.spec.ts'));

/**
 * Files of SQL by their names. `libs/platform` wraps the driver, and `libs/testing` reads the catalog of PostgreSQL.
 */
const MAY =
  /\.(?:repository|queue|listing|sources|statements|lines|fence|migration)\.ts$|\/(?:migrations|baseline)\/|^libs\/(?:platform|testing)\//;

/** Other files with a job in their names, which have SQL. */
const EXCEPTIONS = [
  // Parts of statements that are still to be moved to their repositories.
  'apps/admin-api/src/coupons/coupon.service.ts',
  'apps/admin-api/src/event-tickets/event-ticket.service.ts',
  'apps/admin-api/src/members/member.service.ts',
  'apps/admin-api/src/orders/consulting.fulfillment.ts',
  'apps/admin-api/src/orders/course-plan.fulfillment.ts',
  'apps/admin-api/src/orders/digital-product.fulfillment.ts',
  'apps/admin-api/src/orders/membership-plan.fulfillment.ts',
  'apps/admin-api/src/pictures/picture.service.ts',
  // It compiles selections to SQL.
  'apps/member-api/src/selection/connection.compiler.ts',
];

const SQL = [
  /(?:^|\()\s*(?:select|SELECT)\s/,
  /^\s*(?:with|WITH)\s+\w+ (?:as|AS)\b/,
  /\b(?:insert into|INSERT INTO|delete from|DELETE FROM)\s+[a-z_$]/,
  /\b(?:update|UPDATE)\s+\S+(?:\s+(?:AS |as )?\w+)?\s+(?:set|SET)\s/,
  /\b(?:exists|EXISTS) \(|\b(?:case when|CASE WHEN)\b|^\(values /,
  /(?:=|<|>|\bany\s?\(|array\[)\s?(?:\$\d|\?)(?=[\s)\]]|$)/,
  /\b\w+ (?:=|<>) '\w+'|\b\w+ (?:not )?in \(\$?[{'$]/,
];

/** The texts of a source with SQL. */
function statementsIn(source: string): string[] {
  const file = ts.createSourceFile('x.ts', source, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) {
      const text = node.getText(file).slice(1, -1);
      if (SQL.some((pattern) => pattern.test(text))) found.push(text);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** A file whose name has a job, such as `x.service.ts`, or that provides a class. Others are parts of statements. */
const hasJob = (file: string, source: string): boolean =>
  /\.[a-z-]+\.ts$/.test(file) || source.includes(`from '@nestjs/common'`);

describe('SQL', () => {
  it('stands in repositories, queues and files of SQL alone', () => {
    expect(production.length).toBeGreaterThan(1_000);
    const others = production.filter((file) => {
      const source = MAY.test(file) ? '' : readFileSync(join(root, file), 'utf8');
      return hasJob(file, source) && statementsIn(source).length > 0;
    });
    expect(others).toEqual(EXCEPTIONS);
  });

  it.each([
    'tx.query(`select 1 from courses where site_id = $1`)',
    "const sql = 'exists (select 1 from lectures where site_id = $1)'",
    'const SAVE = `WITH saved AS (${SAVED}) SELECT uid FROM saved`',
    'const text = `insert into reset_requests (site_id) values ($1)`',
    'const RAISE = `\n  UPDATE event_epoch\n     SET epoch = epoch + 1`',
    "fence: () => ({ condition: 'uploader_id = ?', value })",
    "fence: () => ({ condition: `state = 'published'` })",
    'const condition = `collection not in (${hidden})`',
    'const rows = `(values ${topics})`',
    'const first = `case when ${row}.digest then now() end`',
  ])('finds the SQL of %s', (source) => {
    expect(statementsIn(source)).not.toEqual([]);
  });

  it.each([
    "description: 'Select a course from the list, with its plans'",
    "description: '`member_id` is null until the person signs in'",
    "type State = 'draft' | 'published'",
    '// select 1 from courses',
  ])('finds no SQL in %s', (source) => {
    expect(statementsIn(source)).toEqual([]);
  });
});
